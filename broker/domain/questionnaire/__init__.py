"""The questionnaire: its flow as data, what can be wrong with it, and a visitor's journey through it."""
