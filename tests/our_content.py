"""The content of the site as it stands in `data/`, read once for all the tests that only look at it."""

from broker.content.files.content_folder import EmbeddedStore
from broker.settings import Settings

CONTENT = Settings().data_dir / "content"
STORE = EmbeddedStore(CONTENT)
