"""The questionnaire: its flow as data, the checks of a flow, and a visitor's journey through it."""
