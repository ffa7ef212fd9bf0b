import time

import pytest

from broker.content.models.pages import Heading
from broker.content.models.pictures import Picture
from broker.content.text.sanitise import MAX_HTML_CHARACTERS, format_html, image_sources, plain_text, sanitise

COPIED = {"/a.jpg": Picture(src="/content-pictures/a.jpg", width=8, height=6, alt="Ours")}


def clean(html: str) -> str:
    return format_html(sanitise(html, link=lambda address: address.replace("/api/", "/")), picture=COPIED.get).html


REL = 'rel="noopener noreferrer"'
HOSTILE = {
    "script": ("<p>a<script>alert(1)</script>b</p>", "<p>ab</p>"),
    "handler": ('<p onclick="x()" onmouseover=y>a</p>', "<p>a</p>"),
    "javascript": ('<p><a href="javascript:alert(1)">a</a></p>', f"<p><a {REL}>a</a></p>"),
    "disguised javascript": ('<p><a href=" java&#115;cript&colon;alert(1)">a</a></p>', f"<p><a {REL}>a</a></p>"),
    "data": ('<p><a href="data:text/html,x">a</a></p>', f"<p><a {REL}>a</a></p>"),
    "svg": ("<p>a</p><svg onload=x><script>1</script><a>b</a></svg>", "<p>a</p>"),
    "math": ("<p>a</p><math><mtext><style><img src=x onerror=y></style></mtext></math>", "<p>a</p>"),
    "style element": ("<style>p{color:red}</style><p>a</p>", "<p>a</p>"),
    "style attribute": ('<p style="background:url(x)" class="c" id="__proto__">a</p>', "<p>a</p>"),
    "form": ('<form action="https://e.test"><input name=a><button>b</button><p>c</p></form>', "<p>c</p>"),
    "object": ("<p>a</p><object data=x><p>b</p></object><embed src=x>", "<p>a</p>"),
    "meta and base": ('<meta http-equiv="refresh" content="0;url=x"><base href="//e.test"><p>a</p>', "<p>a</p>"),
    "comment": ("<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->", "<p>a</p>"),
    "foreign frame": ('<p>a</p><iframe src="https://evil.test/x">b</iframe>', "<p>a</p>"),
    "foreign picture": ('<p>a<img src="https://evil.test/x.png" onerror=y></p>', "<p>a</p>"),
    "unclosed": ("<p>a<b>b", "<p>a<b>b</b></p>"),
    "half a pair of surrogates": ("<p>a\ud800</p>", "<p>a?</p>"),
}


SHAPED = {
    "link": ('<p><a href="/api/x/" target="_blank">a</a></p>', f'<p><a href="/x/" target="_blank" {REL}>a</a></p>'),
    "link to another frame": ('<p><a href="/x/" target="top">a</a></p>', f'<p><a href="/x/" {REL}>a</a></p>'),
    "telephone": ('<p><a href="tel:+44207">a</a></p>', f'<p><a href="tel:+44207" {REL}>a</a></p>'),
    "picture": (
        '<p><img src="/a.jpg" alt="A &amp; B" srcset="x 2x" width="1"></p>',
        '<p><img src="/content-pictures/a.jpg" alt="A &amp; B" width="8" height="6" loading="lazy"></p>',
    ),
    "picture without words": (
        '<p><img src="/a.jpg"></p>',
        '<p><img src="/content-pictures/a.jpg" alt="Ours" width="8" height="6" loading="lazy"></p>',
    ),
    "video": (
        '<iframe width="1" src="https://www.youtube.com/embed/abc?rel=0&amp;x=1" allowfullscreen></iframe>',
        f'<p><a href="https://www.youtube.com/watch?v=abc" {REL}>Watch the video on YouTube</a></p>',
    ),
    "map": (
        '<iframe src="https://www.google.com/maps/embed?pb=1"></iframe>',
        f'<p><a href="https://www.google.com/maps/embed?pb=1" {REL}>See the map on Google Maps</a></p>',
    ),
    "shortcodes": ('<p>a[contact-form-7 id="5"][/caption] [foo bar="1"]b [1] [sic]</p>', "<p>a b [1] [sic]</p>"),
    "raw lines": ("Save a deposit.\r\n\r\nThen <em>wait</em>.", "<p>Save a deposit.</p><p>Then <em>wait</em>.</p>"),
    "empty paragraphs": ("<p>a</p><p>&nbsp;</p><h2> </h2><ul><li></li><li>b</li></ul>", "<p>a</p><ul><li>b</li></ul>"),
    "nothing": ("  ", ""),
}


@pytest.mark.parametrize(("html", "wanted"), [*HOSTILE.values(), *SHAPED.values()], ids=[*HOSTILE, *SHAPED])
def test_hostile_html_is_harmless_and_other_takes_the_shape_of_our_texts(html: str, wanted: str) -> None:
    assert clean(html) == wanted


def test_headings_begin_at_two_skip_none_and_carry_ids() -> None:
    html = "<h1>Fees &amp; costs</h1><h4>More</h4><h2>More</h2><h3>Deep <i>er</i></h3>"
    text = format_html(sanitise(html, link=str), picture=COPIED.get)
    assert text.headings == (
        Heading(level=2, anchor="fees-costs", text="Fees & costs"),
        Heading(level=3, anchor="more", text="More"),
        Heading(level=2, anchor="more-2", text="More"),
        Heading(level=3, anchor="deep-er", text="Deep er"),
    )
    assert text.html == (
        '<h2 id="fees-costs">Fees &amp; costs</h2><h3 id="more">More</h3>'
        '<h2 id="more-2">More</h2><h3 id="deep-er">Deep <i>er</i></h3>'
    )


FOOTNOTE = "0f6b2f0a-5b7c-4d5e-9a56-3f2f3f0a1b2c"


def test_anchors_of_editors_and_of_footnotes_stay() -> None:
    html = (
        f'<h2 id="what-we-charge" class="wp-block-heading">Fees</h2><p id="fees"><a name="old-place"></a>See<sup '
        f'data-fn="{FOOTNOTE}" class="fn"><a href="#{FOOTNOTE}" id="{FOOTNOTE}-link">1</a></sup></p><h3>Fees</h3>'
        f'<p id="fees">Twice</p><ol class="wp-block-footnotes"><li id="{FOOTNOTE}">A note. <a href="#{FOOTNOTE}-link" '
        'aria-label="Jump to footnote reference 1">↩︎</a></li></ol><p id="main">Taken</p>'
    )
    text = format_html(sanitise(html, link=str), picture=COPIED.get, taken=("main",))
    assert text.html == (
        f'<h2 id="what-we-charge">Fees</h2><p id="fees"><a {REL} id="old-place"></a>See<sup><a href="#{FOOTNOTE}" '
        f'id="{FOOTNOTE}-link" {REL}>1</a></sup></p><h3 id="fees-2">Fees</h3><p>Twice</p><ol><li id="{FOOTNOTE}">A '
        f'note. <a href="#{FOOTNOTE}-link" aria-label="Jump to footnote reference 1" {REL}>↩︎</a></li></ol><p>Taken</p>'
    )
    assert [heading.anchor for heading in text.headings] == ["what-we-charge", "fees-2"]


def test_table_scrolls_and_is_called_by_its_heading() -> None:
    html = '<h2>What it "costs"</h2><table border=1><tr><th>A<th scope="row" colspan=2>B<td>C</table>'
    assert clean(html) == (
        '<h2 id="what-it-costs">What it "costs"</h2><div class="scroll-x" role="region" '
        'aria-label=\'Table: What it "costs"\' tabindex="0"><table class="tbl"><tbody><tr>'
        '<th scope="col">A</th><th scope="row" colspan="2">B</th><td>C</td></tr></tbody></table></div>'
    )


PLAIN = {
    "Fees &amp; charges: what&#8217;s included?": "Fees & charges: what’s included?",
    "&amp;amp; once": "&amp; once",
    "APRC < the small print": "APRC < the small print",
    "a<br />\nb <b>c</b> AT&T &notit": "a b c AT&T ¬it",
    "&lt;script&gt;": "<script>",
    "a\u202eb\x00c": "a b c",
}


def test_short_text_is_decoded_once_and_pictures_are_listed() -> None:
    assert {text: plain_text(text) for text in PLAIN} == PLAIN
    html = '<p><img src="/a.jpg?x=1&amp;y=2"><noscript><img src="/b.jpg"></noscript></p><!-- <img src="/c.jpg"> -->'
    assert image_sources(html) == ("/a.jpg?x=1&y=2",)


@pytest.mark.parametrize("piece", ["[a b=", "<iframe ", '<iframe src="', "<h2>", "<!--", "<table>", "&", "[caption "])
def test_text_made_to_be_slow_is_read_in_time(piece: str) -> None:
    began = time.process_time()
    clean(piece * (MAX_HTML_CHARACTERS // len(piece) // 4))
    assert time.process_time() - began < 5
