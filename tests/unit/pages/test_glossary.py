from dataclasses import replace

from broker import routes
from broker.content.store import ContentStore
from broker.pages.articles.glossary import pages
from tests.our_content import STORE
from tests.unit.pages.whole_site import inputs


def test_page_draws_every_term_with_the_title_of_what_goes_further() -> None:
    (page,) = pages(inputs())
    drawn = str(page.render())
    for term in STORE.glossary().terms:
        assert drawn.count(f'id:"{term.slug}"') == 1, term.slug
    assert "What is loan to value, and why does it set your rate?" in drawn
    assert "Work it out: Does the rent pass?" in drawn
    assert drawn.count('id:"letter-') == len({term.title[0] for term in STORE.glossary().terms})


def test_term_has_no_link_to_a_guide_that_the_content_lacks() -> None:
    store = ContentStore(replace(STORE.content, guides=()))
    (page,) = pages(replace(inputs(), store=store))
    drawn = str(page.render())
    assert routes.guide("what-is-aprc") not in drawn
    assert routes.calculator("offset") in drawn


def test_structured_data_and_site_search_have_every_term() -> None:
    (page,) = pages(inputs())
    (data,) = page.json_ld
    terms, written = STORE.glossary().terms, data["hasDefinedTerm"]
    assert isinstance(written, list)
    assert (data["@type"], len(written)) == ("DefinedTermSet", len(terms))
    first = written[0]
    assert first["@id"] == f"https://www.example.co.uk{routes.term(terms[0].slug)}"
    assert (first["name"], first["description"]) == (terms[0].title, terms[0].text)
    assert page.search
    assert {form for term in terms for form in term.forms} <= set(page.search.keywords)
