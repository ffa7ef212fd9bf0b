"""Reflex's own configuration; what differs between installations comes from `broker.settings`."""

import reflex as rx
from reflex.plugins.sitemap import SitemapPlugin

from broker.settings import read_settings

settings = read_settings()

TAB_SECONDS = 900
"""Time from its last event for which a tab is kept, in memory or in Redis; one that comes back is filled again."""

SHARED = {"state_manager_mode": "redis", "redis_lock_expiration": 2_000}
"""A worker that is killed in the middle of an event holds its tab for 2,000 milliseconds, then another goes on.
Handlers that may take longer, such as those that ask the feed, are background ones, which hold the tab only while they
read or write it.
"""

config = rx.Config(
    app_name="broker",
    deploy_url=settings.site_url,
    api_url=settings.site_url,
    cors_allowed_origins=list(settings.origins),
    frontend_packages=["@emotion/styled@11.14.1"],
    show_built_with_reflex=False,
    telemetry_enabled=False,
    trusted_proxy_hops=settings.trusted_proxies,
    default_color_mode="light",
    redis_token_expiration=TAB_SECONDS,
    **(SHARED if settings.redis_url else {"state_manager_mode": "memory"}),
    frontend_compression_formats=[],
    disable_plugins=[SitemapPlugin],
)
