"""Made-up secrets of every kind that is known, put together here so that no scanner takes this file for a leak."""

from __future__ import annotations

import base64
import json

_ALNUM = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF" * 8
_HEX = "0123456789abcdef" * 8


def _segment(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _pem(kind: str, end: bool = True) -> str:
    body = "\n".join("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7" + _ALNUM[:12] for _ in range(6))
    return f"-----BEGIN {kind}-----\n{body}" + (f"\n-----END {kind}-----" if end else "\n")


JWT = ".".join((_segment({"alg": "HS256", "typ": "JWT"}), _segment({"sub": "1234567890"}), _ALNUM[:43]))

OWN = {
    "rsa": _pem("RSA PRIVATE KEY"),
    "pkcs8": _pem("PRIVATE KEY"),
    "openssh": _pem("OPENSSH PRIVATE KEY"),
    "pgp": _pem("PGP PRIVATE KEY BLOCK"),
    "pem cut short": _pem("EC PRIVATE KEY", end=False),
    "pem in a string": _pem("PRIVATE KEY").replace("\n", "\\n"),
    "pem in a diff": _pem("RSA PRIVATE KEY").replace("\n", "\n+"),
    "putty": "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 14\n" + _ALNUM[:64] + "\n" + _ALNUM[:64],
    "aws id": "AKIA" + "Q3EGTUVWXYZ23456",
    "github classic": "ghp_" + _ALNUM[:36],
    "github fine-grained": "github_pat_" + _ALNUM[:22] + "_" + _ALNUM[:59],
    "gitlab": "glpat-" + _ALNUM[:20],
    "slack bot": "xoxb-" + "123456789012-1234567890123-" + _ALNUM[:24],
    "slack app": "xapp-1-" + "A0123456789-1234567890123-" + _HEX[:64],
    "stripe": "sk_live_" + _ALNUM[:24],
    "stripe webhook": "whsec_" + _ALNUM[:32],
    "openai": "sk-" + _ALNUM[:20] + "T3BlbkFJ" + _ALNUM[:20],
    "openai project": "sk-proj-" + _ALNUM[:74] + "T3BlbkFJ" + _ALNUM[:74],
    "anthropic": "sk-ant-" + "api03-" + _ALNUM[:93] + "AA",
    "openrouter": "sk-or-v1-" + _HEX[:64],
    "litellm": "sk-" + _ALNUM[:22],
    "google": "AIza" + _ALNUM[:35],
    "hugging face": "hf_" + _ALNUM[:34],
    "npm": "npm_" + _ALNUM[:36],
    "jwt": JWT,
}
"""Found without the extra."""

THEIRS = {
    "aws secret": 'aws_secret_access_key = "' + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzKEY" + '"',
    "azure": "AccountKey=" + _ALNUM[:86] + "==",
    "sendgrid": "SG." + _ALNUM[:22] + "." + _ALNUM[:43],
    "square": "sq0csp-" + _ALNUM[:43],
    "mailchimp": _HEX[:32] + "-us12",
    "pypi": "pypi-AgEIcHlwaS5vcmc" + _ALNUM[:80],
    "telegram": "123456789:" + _ALNUM[:35],
    "twilio": "SK" + _HEX[:32],
    "npmrc": "//registry.npmjs.org/:_authToken=" + "01234567-89ab-cdef-0123-456789abcdef",
}
"""Found by detect-secrets."""

ALL = OWN | THEIRS

INNOCENT = {
    "hash": _HEX[:64],
    "uuid": "01234567-89ab-cdef-0123-456789abcdef",
    "css": "sk-cube-grid-animation-delay-12",
    "slug": "task-list-2024-with-a-long-name",
    "placeholder": "sk-your-api-key-goes-here-please",
    "test key": "sk-end-to-end-012345678901234567890123456789",
    "public key": "-----BEGIN PUBLIC KEY-----\n" + _ALNUM[:64] + "\n-----END PUBLIC KEY-----",
    "certificate": "-----BEGIN CERTIFICATE-----\n" + _ALNUM[:64] + "\n-----END CERTIFICATE-----",
    "pem parser": 'BEGIN = "-----BEGIN RSA PRIVATE KEY-----"\nEND = "-----END RSA PRIVATE KEY-----"\n\n\ndef body(s):\n    return s\n',
    "password": 'password = "correct horse battery staple"',
    "database": "postgresql://user:password@localhost/db",
    "dotted": "eyJust.a.name",
    "base64": base64.b64encode(b"some harmless bytes, quite a lot of them, to be sure").decode(),
    "react key": "AKIAlike = 3",
}
