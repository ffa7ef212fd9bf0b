from pathlib import Path

import pytest

from tools.build import use_page_address
from tools.project import ToolError

ADDRESSES = 'export default {PING:"http://localhost:3000/ping",EVENT:`ws://localhost:3000/_event`}'
HOSTS = "A=[`localhost`,`0.0.0.0`,`::`,`0:0:0:0:0:0:0:0`],B=[`other`]"


def export(folder: Path, addresses: str = ADDRESSES, hosts: str = HOSTS) -> tuple[Path, Path]:
    scripts = folder / "reflex-env-1.js", folder / "state-1.js"
    for script, text in zip(scripts, (addresses, hosts), strict=True):
        script.write_text(text)
    return scripts


def test_address_is_that_of_the_page_and_no_host_loses_its_port(tmp_path: Path) -> None:
    addresses, hosts = export(tmp_path)
    use_page_address(tmp_path)
    assert addresses.read_text() == (
        'export default {PING:(location.origin+"/ping"),EVENT:(location.origin.replace(/^http/,"ws")+"/_event")}'
    )
    assert hosts.read_text() == "A=[],B=[`other`]"


@pytest.mark.parametrize(("addresses", "hosts"), [("{}", HOSTS), (ADDRESSES, "A=[]")])
def test_script_that_reflex_writes_another_way_stops_the_build(tmp_path: Path, addresses: str, hosts: str) -> None:
    export(tmp_path, addresses, hosts)
    with pytest.raises(ToolError, match="Reflex"):
        use_page_address(tmp_path)
