"""The content of the site as it stands in `data/`, read once for all the tests that only look at it."""

from broker.content.files.content_folder import EmbeddedStore
from broker.documents.document import Letterhead
from broker.documents.plans import letterhead
from broker.settings import Settings

CONTENT = Settings().data_dir / "content"
STORE = EmbeddedStore(CONTENT)


def letterhead_of_site() -> Letterhead:
    """Return the letterhead of the documents of the site."""
    return letterhead(STORE.site(), site_url="https://broker.example")
