from pathlib import Path

from broker.jinja_places import code
from broker.server.export.templates import CALCULATORS, PLANS, add_calculator_templates

PAGE = "<!DOCTYPE html>\n<html><head><title>T</title></head><body>{}</body></html>"
ERROR = code("{% if panel.is_wrong %}") + "Error: " + code("{% endif %}")


def panel(slug: str, text: str) -> str:
    return f'<section class="panel stack" id="{slug}">{text}</section>'


def write(file: Path, html: str) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(html)


def test_plan_has_the_data_of_its_scripts_and_a_calculator_has_none(tmp_path: Path) -> None:
    for path, slug in (("tools/calculators/borrow", "borrow"), ("plan/buying", "buying-plan")):
        write(tmp_path / path / "index.html", PAGE.format(panel(slug, "own")))
    write(tmp_path / CALCULATORS / "index.html", PAGE.format(panel("borrow", "a<!-- -->b")))
    write(tmp_path / PLANS / "index.html", PAGE.format(panel("buying-plan", "a<!-- -->b")))
    add_calculator_templates(tmp_path)
    made = {file.parent.name: file.read_text() for file in tmp_path.glob("edge-template-*/index.html")}
    page = PAGE.replace("<title>", f"<title>{ERROR}")
    assert made["edge-template-calculator-borrow"] == page.replace("{}", panel("borrow", "ab"))
    plan = made["edge-template-calculator-buying-plan"]
    assert plan.partition("<body>")[2] == PAGE.partition("<body>")[2].format(panel("buying-plan", "a<!-- -->b"))
    assert plan.partition("<body>")[0].endswith("</script></head>")
    assert 'id="edge-answer"' in plan


def test_calculator_with_deals_has_its_panel_its_deals_and_their_data(tmp_path: Path) -> None:
    deals = '<section id="landlord-test-deals">{}</section>'
    own = PAGE.format(panel("landlord-test", "own") + deals.format("own"))
    write(tmp_path / "tools/calculators/landlord-test" / "index.html", own)
    link = f'<a href="/{PLANS}/{{{{ href }}}}">b</a>'
    write(tmp_path / PLANS / "index.html", PAGE.format(panel("landlord-test", "a<!-- -->b") + deals.format(link)))
    add_calculator_templates(tmp_path)
    made = (tmp_path / "edge-template-calculator-landlord-test" / "index.html").read_text()
    filled = panel("landlord-test", "ab") + deals.format('<a href="{{ href }}">b</a>')
    assert made.partition("<body>")[2] == PAGE.partition("<body>")[2].format(filled)
    assert 'id="edge-answer"' in made
