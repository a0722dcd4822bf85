"""A scripted model server with the faces of OpenAI, ollama and Anthropic. It says what it is told, in order."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

PIECE = 16


@dataclass
class Reply:
    """`gap`: seconds between chunks. `cut`: chunks after which the connection breaks. `status`: an HTTP error.
    `delay`: seconds before the answer begins. `linger`: seconds from its last chunk to the end of the stream.
    `until`: its last chunk waits for this."""

    text: str = "Understood."
    calls: list[dict[str, Any]] = field(default_factory=list)
    finish: str = "stop"
    gap: float = 0.0
    cut: int | None = None
    status: int = 200
    delay: float = 0.0
    linger: float = 0.0
    until: threading.Event | None = None


def pieces(text: str) -> Iterator[str]:
    return (text[i : i + PIECE] for i in range(0, len(text), PIECE))


class Upstream:
    """`seen` holds the bodies of all requests, oldest first, with the API they came by."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, dict[str, Any]]] = []
        self.replies: deque[Reply] = deque()
        self._ids = itertools.count(1)
        # A connection that the server closes while it is taken from the gateway's pool fails a request: a model server
        # like ollama's keeps idle ones open.
        config = uvicorn.Config(self._app(), host="127.0.0.1", port=0, log_level="critical", timeout_keep_alive=600)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> Upstream:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        self.port: int = self._server.servers[0].sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(120)

    def say(self, text: str = "Understood.", **more: Any) -> None:
        self.replies.append(Reply(text, **more))

    def reply_to(self, body: dict[str, Any]) -> Reply:
        """What to say to a request: what was queued, in order."""
        return self.replies.popleft() if self.replies else Reply()

    def prompts(self) -> list[str]:
        """The text of the last request's messages, whatever the API."""
        body = self.seen[-1][1]
        messages = body.get("messages") or body.get("input") or []
        if isinstance(messages, str):
            return [messages]
        return [
            "".join(p.get("text", "") for p in m["content"])
            if isinstance(m.get("content"), list)
            else str(m.get("content") or "")
            for m in messages
        ]

    def _app(self) -> FastAPI:
        app = FastAPI()
        routes = {
            "/v1/chat/completions": OpenAIChat,
            "/v1/responses": OpenAIResponses,
            "/api/chat": Ollama,
            "/v1/messages": Anthropic,
        }
        for path, face in routes.items():
            app.add_api_route(path, self._route(face), methods=["POST"], response_model=None)
        app.add_api_route("/api/tags", lambda: {"models": [{"name": "coder"}]})
        return app

    def _route(self, face: type[Face]) -> Any:
        async def answer(request: Request) -> Response:
            body = await request.json()
            self.seen.append((face.name, body))
            reply = self.reply_to(body)
            await asyncio.sleep(reply.delay)
            if reply.status != 200:
                return JSONResponse({"error": {"message": "scripted failure", "type": "server_error"}}, reply.status)
            made = face(body, reply, next(self._ids))
            if body.get("stream", face.streams_by_default):
                return StreamingResponse(made.paced(), media_type=face.media_type)
            return JSONResponse(made.whole())

        return answer


class Face:
    name = ""
    media_type = "text/event-stream"
    streams_by_default = False

    def __init__(self, body: dict[str, Any], reply: Reply, number: int) -> None:
        self.body, self.reply, self.number = body, reply, number

    def whole(self) -> dict[str, Any]:
        raise NotImplementedError

    def chunks(self) -> Iterator[bytes]:
        raise NotImplementedError

    async def paced(self) -> AsyncIterator[bytes]:
        chunks, until = list(self.chunks()), self.reply.until
        for n, chunk in enumerate(chunks):
            if self.reply.cut is not None and n >= self.reply.cut:
                raise ConnectionResetError("scripted cut")
            if n == len(chunks) - 1 and until is not None:
                await asyncio.to_thread(until.wait, 60)
            yield chunk
            await asyncio.sleep(self.reply.gap)
        await asyncio.sleep(self.reply.linger)

    def calls(self) -> list[dict[str, Any]]:
        return [{"id": f"call_{self.number}_{n}", **call} for n, call in enumerate(self.reply.calls)]


class OpenAIChat(Face):
    name = "openai-chat"

    def _finish(self) -> str:
        return "tool_calls" if self.reply.calls else self.reply.finish

    def _tool_calls(self) -> list[dict[str, Any]]:
        return [
            {
                "id": c["id"],
                "type": "function",
                "function": {"name": c["name"], "arguments": json.dumps(c["arguments"])},
            }
            for c in self.calls()
        ]

    def whole(self) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": self.reply.text}
        if self.reply.calls:
            message["tool_calls"] = self._tool_calls()
        return {
            "id": f"chatcmpl-{self.number}",
            "object": "chat.completion",
            "created": 1,
            "model": self.body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": self._finish()}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }

    def chunks(self) -> Iterator[bytes]:
        def event(delta: dict[str, Any], finish: str | None = None) -> bytes:
            return (
                b"data: "
                + json.dumps(
                    {
                        "id": f"chatcmpl-{self.number}",
                        "object": "chat.completion.chunk",
                        "created": 1,
                        "model": self.body["model"],
                        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
                    }
                ).encode()
                + b"\n\n"
            )

        yield event({"role": "assistant", "content": ""})
        for piece in pieces(self.reply.text):
            yield event({"content": piece})
        for n, call in enumerate(self._tool_calls()):
            yield event(
                {"tool_calls": [{**call, "index": n, "function": {"name": call["function"]["name"], "arguments": ""}}]}
            )
            for piece in pieces(call["function"]["arguments"]):
                yield event({"tool_calls": [{"index": n, "function": {"arguments": piece}}]})
        yield event({}, self._finish())
        yield b"data: [DONE]\n\n"


class OpenAIResponses(Face):
    name = "openai-responses"

    def _items(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = [
            {
                "type": "message",
                "id": f"msg_{self.number}",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": self.reply.text, "annotations": []}],
            }
        ]
        return items + [
            {
                "type": "function_call",
                "id": f"fc_{c['id']}",
                "call_id": c["id"],
                "name": c["name"],
                "arguments": json.dumps(c["arguments"]),
                "status": "completed",
            }
            for c in self.calls()
        ]

    def whole(self, items: list[dict[str, Any]] | None = None, status: str = "completed") -> dict[str, Any]:
        return {
            "id": f"resp_{self.number}",
            "object": "response",
            "created_at": 1,
            "status": status,
            "model": self.body["model"],
            "output": self._items() if items is None else items,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "error": None,
            "incomplete_details": None,
            "instructions": None,
            "metadata": {},
            "temperature": 1.0,
            "top_p": 1.0,
            "usage": {
                "input_tokens": 1,
                "output_tokens": 1,
                "total_tokens": 2,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens_details": {"reasoning_tokens": 0},
            },
        }

    def chunks(self) -> Iterator[bytes]:
        numbers = itertools.count()

        def event(kind: str, **data: Any) -> bytes:
            return f"event: {kind}\ndata: {json.dumps({'type': kind, 'sequence_number': next(numbers), **data})}\n\n".encode()

        yield event("response.created", response=self.whole([], "in_progress"))
        for n, item in enumerate(self._items()):
            reference = {"item_id": item["id"], "output_index": n}
            yield event(
                "response.output_item.added",
                output_index=n,
                item={**item, **({"content": []} if item["type"] == "message" else {"arguments": ""})},
            )
            if item["type"] == "message":
                yield event(
                    "response.content_part.added",
                    **reference,
                    content_index=0,
                    part={"type": "output_text", "text": "", "annotations": []},
                )
                for piece in pieces(self.reply.text):
                    yield event("response.output_text.delta", **reference, content_index=0, delta=piece)
                yield event("response.output_text.done", **reference, content_index=0, text=self.reply.text)
            else:
                yield event("response.function_call_arguments.done", **reference, arguments=item["arguments"])
            yield event("response.output_item.done", output_index=n, item=item)
        yield event("response.completed", response=self.whole())


class Ollama(Face):
    name = "ollama"
    media_type = "application/x-ndjson"
    streams_by_default = True

    def _line(self, content: str, done: bool = False) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": content}
        if done and self.reply.calls:
            message["tool_calls"] = [
                {"function": {"name": c["name"], "arguments": c["arguments"]}} for c in self.calls()
            ]
        line: dict[str, Any] = {
            "model": self.body["model"],
            "created_at": "2026-01-01T00:00:00Z",
            "message": message,
            "done": done,
        }
        return line | ({"done_reason": self.reply.finish, "prompt_eval_count": 1, "eval_count": 1} if done else {})

    def whole(self) -> dict[str, Any]:
        return self._line(self.reply.text, done=True)

    def chunks(self) -> Iterator[bytes]:
        for piece in pieces(self.reply.text):
            yield json.dumps(self._line(piece)).encode() + b"\n"
        yield json.dumps(self._line("", done=True)).encode() + b"\n"


class Anthropic(Face):
    name = "anthropic"

    def _stop(self) -> str:
        return "tool_use" if self.reply.calls else {"stop": "end_turn", "length": "max_tokens"}[self.reply.finish]

    def whole(self) -> dict[str, Any]:
        blocks: list[dict[str, Any]] = [{"type": "text", "text": self.reply.text}]
        blocks += [
            {"type": "tool_use", "id": c["id"], "name": c["name"], "input": c["arguments"]} for c in self.calls()
        ]
        return {
            "id": f"msg_{self.number}",
            "type": "message",
            "role": "assistant",
            "model": self.body["model"],
            "content": blocks,
            "stop_reason": self._stop(),
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }

    def chunks(self) -> Iterator[bytes]:
        def event(kind: str, **data: Any) -> bytes:
            return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()

        yield event("message_start", message={**self.whole(), "content": [], "stop_reason": None})
        yield event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        for piece in pieces(self.reply.text):
            yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
        yield event("content_block_stop", index=0)
        for n, c in enumerate(self.calls(), 1):
            yield event(
                "content_block_start",
                index=n,
                content_block={"type": "tool_use", "id": c["id"], "name": c["name"], "input": {}},
            )
            for piece in pieces(json.dumps(c["arguments"])):
                yield event("content_block_delta", index=n, delta={"type": "input_json_delta", "partial_json": piece})
            yield event("content_block_stop", index=n)
        yield event(
            "message_delta", delta={"stop_reason": self._stop(), "stop_sequence": None}, usage={"output_tokens": 1}
        )
        yield event("message_stop")
