// Messages of PostgreSQL's protocol (PostgreSQL documentation, Message Formats).

/** Message with its code and length. The first messages of a connection have no code, so `code` is `null`. */
export type Message = { readonly code: number | null; readonly bytes: Buffer };

/** Code of `StartupMessage`, and of requests for encryption, after the length. */
const startupCodes = 196_608;

/** Returns a message with a code. */
export function bytesOf(code: number, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(code, 0);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Splits received bytes into messages. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0);
  #isStarting: boolean;

  /** `isStarting` is true for a connection whose first messages have no code. */
  constructor(isStarting = false) {
    this.#isStarting = isStarting;
  }

  read(chunk: Buffer): readonly Message[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const messages: Message[] = [];
    for (let message = this.#next(); message !== null; message = this.#next()) messages.push(message);
    return messages;
  }

  #next(): Message | null {
    const head = this.#isStarting ? 0 : 1;
    if (this.#rest.length < head + 4) return null;
    const length = head + this.#rest.readInt32BE(head);
    if (this.#rest.length < length) return null;
    const bytes = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    if (!this.#isStarting) return { code: bytes.readUInt8(0), bytes };
    if (bytes.readInt32BE(4) === startupCodes) this.#isStarting = false;
    return { code: null, bytes };
  }
}

/** Positions of a statement's name in the body of a message. */
function placeOf({ code, bytes }: Message): readonly [start: number, end: number] | null {
  const body = 5;
  const ended = (start: number): number => bytes.indexOf(0, start);
  switch (code === null ? '' : String.fromCharCode(code)) {
    case 'P':
      return [body, ended(body)];
    case 'B': {
      const start = ended(body) + 1;
      return [start, ended(start)];
    }
    case 'D':
    case 'C':
      return String.fromCharCode(bytes[body] ?? 0) === 'S' ? [body + 1, ended(body + 1)] : null;
    default:
      return null;
  }
}

/** Returns the name of the prepared statement in a client's message. Empty if it contains no name. */
export function nameIn(message: Message): string {
  const place = placeOf(message);
  return place === null ? '' : message.bytes.toString('utf8', ...place);
}

/** Returns the bytes of a message with another name of its prepared statement. */
export function withName(message: Message, name: string): Buffer {
  const place = placeOf(message);
  if (place === null) return message.bytes;
  const [start, end] = place;
  const body = [message.bytes.subarray(5, start), Buffer.from(name), message.bytes.subarray(end)];
  return bytesOf(message.code ?? 0, Buffer.concat(body));
}
