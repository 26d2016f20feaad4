import type { messages, PGlite } from '@electric-sql/pglite';
import { forgetPlans, openPlans } from './query-plans.ts';

type Messages = messages.BackendMessage[];

/** A statement the database has parsed under a name, and how it described its parameters and rows. */
type Prepared = { readonly name: string; readonly described: Messages };

const most = 500;
const codeOf = (letter: string): number => letter.charCodeAt(0);
const codes = {
  query: codeOf('Q'),
  parse: codeOf('P'),
  describe: codeOf('D'),
  bind: codeOf('B'),
  execute: codeOf('E'),
  ofStatement: codeOf('S'),
};
const isPreparable = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

/** A message of the frontend: its letter, its length, the parts. */
function messageOf(code: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 4);
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

const nameBytes = (name: string): Uint8Array => Buffer.from(`${name}\0`, 'latin1');

/** What a message that parses says: the text up to its end, or null where the caller gives types or a name, or the text is of another kind. */
function preparableText(message: Uint8Array): string | null {
  const end = message.length - 3;
  const hasTypes = message[end] !== 0 || message[end + 1] !== 0 || message[end + 2] !== 0;
  if (message[5] !== 0 || hasTypes) return null;
  const text = Buffer.from(message.buffer, message.byteOffset + 6, end - 6).toString('latin1');
  return isPreparable.test(text) ? text : null;
}

/**
 * Lets embedded PostgreSQL parse and describe each statement once instead of each time, under a name of its own, and takes what binds and what
 * executes it in one message: PGlite's own query sends six, each of which costs as much as a short statement. The statements used least
 * recently are closed. PGlite sends the messages of a statement without another's between them.
 */
export function prepareStatements(client: PGlite): void {
  type Options = Parameters<PGlite['execProtocolStream']>[1];
  const send = client.execProtocolStream.bind(client);
  const arePlansOld = openPlans();
  const known = new Map<string, Prepared>();
  let count = 0;
  /** The statement whose messages are arriving: known, or about to be. */
  let current: { readonly text: string; readonly name: string; prepared: Prepared | null; bound: Uint8Array | null } | null = null;

  async function parse(message: Uint8Array, options: Options): Promise<Messages> {
    const text = preparableText(message);
    if (text === null) return send(message, options);
    // In a transaction that has failed it is refused like everything else.
    if (arePlansOld()) await send(messageOf(codes.query, nameBytes(forgetPlans)), { throwOnError: false, syncToFs: false });
    const prepared = known.get(text) ?? null;
    if (prepared !== null) {
      known.delete(text);
      known.set(text, prepared);
      current = { text, name: prepared.name, prepared, bound: null };
      return [];
    }
    const name = `q${++count}`;
    const answer = await send(messageOf(codes.parse, nameBytes(name), message.subarray(6)), options);
    current = { text, name, prepared: null, bound: null };
    return answer;
  }

  async function describe(statement: NonNullable<typeof current>, message: Uint8Array, options: Options): Promise<Messages> {
    const isOfStatement = message[5] === codes.ofStatement;
    if (statement.prepared === null) {
      const described = await send(messageOf(codes.describe, Uint8Array.of(codes.ofStatement), nameBytes(statement.name)), options);
      statement.prepared = { name: statement.name, described };
      known.set(statement.text, statement.prepared);
      await closeOldest(options);
    }
    const { described } = statement.prepared;
    return isOfStatement ? described : described.filter(({ name }) => name !== 'parameterDescription');
  }

  async function closeOldest(options: Options): Promise<void> {
    const [oldest] = known;
    if (known.size <= most || oldest === undefined) return;
    const [text, { name }] = oldest;
    known.delete(text);
    await send(messageOf(codeOf('C'), Uint8Array.of(codes.ofStatement), nameBytes(name)), options);
  }

  client.execProtocolStream = async (message, options) => {
    const [code] = message;
    if (code === codes.parse) {
      current = null;
      return parse(message, options);
    }
    const statement = current;
    if (statement === null) return send(message, options);
    if (code === codes.describe) return describe(statement, message, options);
    if (code === codes.bind) {
      statement.bound = messageOf(codes.bind, Uint8Array.of(0), nameBytes(statement.name), message.subarray(7));
      return [];
    }
    if (code === codes.execute && statement.bound !== null) return send(Buffer.concat([statement.bound, message]), options);
    current = null;
    return send(message, options);
  };
}
