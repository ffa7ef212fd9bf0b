"""The lists of specification 2, written out in its own order, so that a person can compare them line by line.

Where a decision settles something else, the line says which.
"""

SERVICES = {
    # slug: title (decision 9)
    "first-time-buyer": "First Time Buyer",
    "remortgaging": "Remortgage",
    "buy-to-let": "Buy to Let",
    "home-mover": "Home Mover",
    "protection-needs": "Insurance",
    "contractor-mortgage": "Contractor Mortgage",
    "self-employed": "Self-employed",
}

CUSTOMERS = {
    # customer type of specification 3: title
    "first-time-buyer": "First Time Buyer",
    "home-mover": "Home Mover",
    "remortgaging": "Remortgage",
    "buy-to-let-remortgage": "Buy to Let Remortgage",
    "buy-to-let-purchase": "Buy to Let Purchase",
    "buy-to-let": "Buy to Let",
}

PAGES = {
    # "Routes", those of one page each, with what stands in the heading
    "/tools/mortgage-guides/": "Mortgage guides",
    "/mortgage-broker-near-me/": "local mortgage broker",
    "/tools/calculators/": "Mortgage calculators",
    "/tools/rates/": "Mortgage rates",
    "/tools/mortgage-faqs/": "Mortgage FAQs",
    "/home2/": "A good mortgage.",
    "/thankyou/": "Thank you",
    "/test/": "Component states",
    # "Other links seen"
    "/mortgage-guides/first-time-buyer-guide/": "",
    "/mortgage-guides/remortgaging-guide/": "",
    "/mortgage-guides/buy-to-let-guide/": "",
    "/mortgage-guides/home-mover-guide/": "",
    "/mortgage-guides/protection-needs-guide/": "",
    "/mortgage-guides/contractor-mortgage-guide/": "",
    "/mortgage-guides/self-employed-guide/": "",
    "/contact/": "Contact us",
    "/": "A good mortgage.",
    "/cookie-policy/": "Cookie policy",
    # "Lender deals page: route not shown" (decision 4)
    "/lenders/halifax/": "Halifax mortgage rates",
    "/lenders/halifax/2-years-fixed/": "Halifax 2-year fixed mortgage rates",
    "/lenders/halifax/3-years-fixed/": "Halifax 3-year fixed mortgage rates",
    "/lenders/halifax/5-years-fixed/": "Halifax 5-year fixed mortgage rates",
    "/lenders/halifax/2-years-variable/": "Halifax 2-year variable mortgage rates",
}

REDIRECTS = {
    # "Redirects"
    "/my-local-mortgage-broker": "/mortgage-broker-near-me/",
    "/tools/my-local-mortgage-broker": "/mortgage-broker-near-me/",
    "/tools/mortgage-broker-near-me": "/mortgage-broker-near-me/",
    "/mortgage-guides/should-i-remortgage-with-the-same-lender": (
        "/mortgage-guides/should-i-remortgage-with-same-lender/"  # decision 5
    ),
    "/mortgage-guides/is-a-35-year-mortgage-normal": "/mortgage-guides/is-a-35-years-mortgage-normal/",
    "/mortgage-guides/no-fee-mortgage-broker": "/mortgage-guides/no-fees-mortgage-broker/",
    "/remortgaging/best-rates": "/remortgages/",
    "/remortgaging/compare-best-rates": "/remortgages/",
    "/best-remortgage-deals": "/remortgages/",
    "/first-time-buyer-rates": "/mortgages-first-time-buyer/",
    "/halifax-mortgage-rates": "/lenders/halifax/2-years-fixed/",  # decision 4
    # menu paths that have their page elsewhere (decisions 2 and 3)
    "/home": "/",
    "/rates": "/tools/rates/",
    "/calculators": "/tools/calculators/",
    "/mortgage-faqs": "/tools/mortgage-faqs/",
    "/mortgage-guide-home": "/tools/mortgage-guides/",
    "/local-mortgage-broker": "/mortgage-broker-near-me/",
    # the prefixes that no page keeps (decision 2)
    "/promotion/contact": "/contact/",
    "/promotion/calculators": "/tools/calculators/",
    "/api/about-us": "/about-us/",
    "/api/home": "/",
}

MAIN_MENU = (
    # "Main menu": group, label, path of the menu, where it leads (decision 3)
    ("", "Home", "/home/", "/"),
    ("Services", "First Time Buyer", "/first-time-buyer/", "/first-time-buyer/"),
    ("Services", "Remortgage", "/remortgaging/", "/remortgaging/"),
    ("Services", "Buy to let", "/buy-to-let/", "/buy-to-let/"),
    ("Services", "Home Mover", "/home-mover/", "/home-mover/"),
    ("Services", "Insurance", "/protection-needs/", "/protection-needs/"),
    ("Tools", "Mortgage Rates", "/rates/", "/tools/rates/"),
    ("Tools", "Mortgage Calculators", "/calculators/", "/tools/calculators/"),
    ("Tools", "Mortgage Guides", "", "/tools/mortgage-guides/"),
    ("Tools", "Mortgage FAQs", "/mortgage-faqs/", "/tools/mortgage-faqs/"),
    ("Tools", "My Local Mortgage Broker", "/local-mortgage-broker/", "/mortgage-broker-near-me/"),
    ("More", "About Us", "/about-us/", "/about-us/"),
    ("More", "Contact Us", "/contact/", "/contact/"),
    ("More", "Client Feedback", "/client-reviews/", "/client-reviews/"),
    ("More", "Join Us", "/join-us/", "/join-us/"),
)

CLIENT_LOGIN = "Client Login"
"""The one entry of the main menu that leaves the site, in a new tab."""

SITEMAP = {
    # "Sitemap page lists": path, where its page is (decision 3)
    "/rates/": "/tools/rates/",
    "/calculators/": "/tools/calculators/",
    "/about-us/": "/about-us/",
    "/useful-information/": "/useful-information/",
    "/privacy-notice/": "/privacy-notice/",
    "/cookie-policy/": "/cookie-policy/",
    "/complaints-procedure/": "/complaints-procedure/",
    "/terms-of-business/": "/terms-of-business/",
    "/contact/": "/contact/",
    "/client-reviews/": "/client-reviews/",
    "/join-us/": "/join-us/",
    "/mortgage-guide-home/": "/tools/mortgage-guides/",
    "/mortgage-faqs/": "/tools/mortgage-faqs/",
}

TOWNS = (
    *("Ealing", "London", "Brent", "Kingston", "Harrow", "Hounslow", "Slough", "Richmond", "Croydon", "Watford"),
    *("Berkshire", "Hackney", "Greenwich", "Bexley", "Reading", "Surrey", "Barnet", "Enfield", "Barking", "Wandsworth"),
    *("Guilford", "Bromley", "Redbridge", "East Ham", "Camden", "Hammersmith"),
)
"""The towns that the sitemap names, spelt as there, of "about 30"."""

SUBJECTS = {
    # "many guide pages": what the sitemap names, and the guide to it
    "leasehold": "leasehold-explained",
    "remortgage costs": "remortgage-costs",
    "shared ownership": "shared-ownership-explained",
    "credit score": "improve-your-credit-score",
    "LTV": "what-is-ltv",
    "APRC": "what-is-aprc",
    "EPC": "epc-ratings-and-mortgages",
    "conveyancing": "conveyancing-explained",
}

DEAL_PAGES = ("/buy-to-let-deals/", "/home-mover-deals/", "/remortgages/", "/mortgages-first-time-buyer/")

FOOTER = (
    # "Footer": label, path under its prefix, where it leads
    ("Home", "/promotion/home/", "/"),
    ("Calculators", "/promotion/calculators/", "/tools/calculators/"),
    ("Contact", "/promotion/contact/", "/contact/"),
    ("Terms Of Business", "/promotion/terms-of-business/", "/terms-of-business/"),
    ("Privacy Notice", "/promotion/privacy-notice/", "/privacy-notice/"),
    ("Cookie Policy", "/promotion/cookie-policy/", "/cookie-policy/"),
    ("Complaints Procedure", "/promotion/complaints-procedure/", "/complaints-procedure/"),
)

FOOTER_SERVICES = (
    # "a separate services menu of four promotion links"
    ("First Time Buyer", "/promotion/first-time-buyer/", "/first-time-buyer/"),
    ("Remortgage", "/promotion/remortgaging/", "/remortgaging/"),
    ("Buy to let", "/promotion/buy-to-let/", "/buy-to-let/"),
    ("Home Mover", "/promotion/home-mover/", "/home-mover/"),
)
