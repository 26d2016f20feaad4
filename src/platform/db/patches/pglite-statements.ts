import type { messages, PGlite } from '@electric-sql/pglite';
import { forgetPlans, openPlans } from './query-plans.ts';

type Messages = messages.BackendMessage[];

/**
 * Prepared statement with two descriptions from the server. One describes the parameters and the rows, and the other
 * describes only the rows.
 */
type Prepared = { readonly name: Uint8Array; readonly ofStatement: Messages; readonly ofRows: Messages };

const most = 500;
const codeOf = (notification: string): number => notification.charCodeAt(0);
const codes = {
  query: codeOf('Q'),
  parse: codeOf('P'),
  describe: codeOf('D'),
  bind: codeOf('B'),
  execute: codeOf('E'),
  ofStatement: codeOf('S'),
};
const isPreparable = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

/** Returns a frontend message with its type code and length. */
function messageOf(code: number, ...parts: readonly Uint8Array[]): Uint8Array {
  let length = 4;
  for (const part of parts) length += part.length;
  const message = Buffer.allocUnsafe(length + 1);
  message.writeUInt8(code, 0);
  message.writeUInt32BE(length, 1);
  let at = 5;
  for (const part of parts) {
    message.set(part, at);
    at += part.length;
  }
  return message;
}

/** Empty statement name, terminated by a zero byte. */
const noName = Uint8Array.of(0);

const nameBytes = (name: string): Uint8Array => Buffer.from(`${name}\0`, 'latin1');

/** Returns the statement of a parse message. `null` if the message has another type, or specifies a name or parameter types. */
function preparableText(message: Uint8Array): string | null {
  const end = message.length - 3;
  const hasTypes = message[end] !== 0 || message[end + 1] !== 0 || message[end + 2] !== 0;
  if (message[5] !== 0 || hasTypes) return null;
  const text = Buffer.from(message.buffer, message.byteOffset + 6, end - 6).toString('latin1');
  return isPreparable.test(text) ? text : null;
}

type Send = PGlite['execProtocolStream'];
type Options = Parameters<Send>[1];

/** Statement whose messages are being received. */
type Arriving = {
  readonly text: string;
  readonly name: Uint8Array;
  prepared: Prepared | null;
  bound: Uint8Array | null;
};

/** Cache of prepared statements for an embedded database. */
class PreparedStatements {
  readonly #send: Send;
  readonly #arePlansOld = openPlans();
  readonly #known = new Map<string, Prepared>();
  #count = 0;
  #current: Arriving | null = null;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Sends a message or its replacement. Messages that can be combined with the next message are buffered. */
  async forward(message: Uint8Array, options: Options): Promise<Messages> {
    const [code] = message;
    if (code === codes.parse) {
      this.#current = null;
      return this.#parse(message, options);
    }
    const statement = this.#current;
    if (statement === null) return this.#send(message, options);
    if (code === codes.describe) {
      const { ofStatement, ofRows } = statement.prepared ?? (await this.#describe(statement, options));
      return message[5] === codes.ofStatement ? ofStatement : ofRows;
    }
    if (code === codes.bind) {
      statement.bound = messageOf(codes.bind, noName, statement.name, message.subarray(7));
      return [];
    }
    if (code === codes.execute && statement.bound !== null)
      return this.#send(Buffer.concat([statement.bound, message]), options);
    this.#current = null;
    return this.#send(message, options);
  }

  async #parse(message: Uint8Array, options: Options): Promise<Messages> {
    const text = preparableText(message);
    if (text === null) return this.#send(message, options);
    // In a failed transaction, `DISCARD PLANS` also fails. Its failure is ignored.
    if (this.#arePlansOld()) {
      const forget = messageOf(codes.query, nameBytes(forgetPlans));
      await this.#send(forget, { throwOnError: false, syncToFs: false });
    }
    const prepared = this.#known.get(text) ?? null;
    if (prepared !== null) {
      this.#known.delete(text);
      this.#known.set(text, prepared);
      this.#current = { text, name: prepared.name, prepared, bound: null };
      return [];
    }
    const name = nameBytes(`q${++this.#count}`);
    const answer = await this.#send(messageOf(codes.parse, name, message.subarray(6)), options);
    this.#current = { text, name, prepared: null, bound: null };
    return answer;
  }

  /** Describes an SQL statement that is sent for the first time. */
  async #describe(statement: Arriving, options: Options): Promise<Prepared> {
    const { name } = statement;
    const request = messageOf(codes.describe, Uint8Array.of(codes.ofStatement), name);
    const ofStatement = await this.#send(request, options);
    const ofRows = ofStatement.filter((each) => each.name !== 'parameterDescription');
    const prepared = { name, ofStatement, ofRows };
    statement.prepared = prepared;
    this.#known.set(statement.text, prepared);
    await this.#closeOldest(options);
    return prepared;
  }

  async #closeOldest(options: Options): Promise<void> {
    const [oldest] = this.#known;
    if (this.#known.size <= most || oldest === undefined) return;
    const [text, { name }] = oldest;
    this.#known.delete(text);
    await this.#send(messageOf(codeOf('C'), Uint8Array.of(codes.ofStatement), name), options);
  }
}

/**
 * Adds prepared statements to an embedded database. Each SQL statement is parsed and described once, and its bind and
 * execute messages are sent together. PGlite itself sends six messages per statement, each of which takes as long as a
 * short statement. The least recently used statements are closed. Requires that messages of different statements don't
 * interleave, which PGlite ensures.
 */
export function prepareStatements(client: PGlite): void {
  const statements = new PreparedStatements(client.execProtocolStream.bind(client));
  client.execProtocolStream = statements.forward.bind(statements);
}
