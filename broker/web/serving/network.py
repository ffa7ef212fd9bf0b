"""Network addresses, as limits count them."""

from ipaddress import IPv6Address, ip_address

IPV6_PREFIX = 64
"""Bits of an IPv6 address that name the network of one customer (RIPE-690); the rest its holder may choose."""


def network_of(address: str) -> str:
    """Return what limits count for an address: itself, the network of an IPv6 one, the IPv4 one that it maps."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> IPV6_PREFIX << IPV6_PREFIX)}/{IPV6_PREFIX}"
