"""Runs the migrations on the connection that TSLP hands over; `alembic -x url=…` opens one of its own."""

from sqlalchemy import create_engine

from alembic import context

connection = context.config.attributes.get("connection")


def run(bind):  # type: ignore[no-untyped-def]
    context.configure(connection=bind, transactional_ddl=False, target_metadata=None)
    context.run_migrations()


if connection is not None:
    run(connection)
else:
    url = context.get_x_argument(as_dictionary=True).get("url") or context.config.get_main_option("sqlalchemy.url")
    with create_engine(url).begin() as bind:
        run(bind)
