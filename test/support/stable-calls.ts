import type { Database, Query } from '../../src/platform/db/pool.ts';

// Finds calls that Citus rejects: updates and deletions that call a `STABLE` function on columns, even through an operator. Creates a
// function from each statement and reads the parsed body from PostgreSQL.

/** Node in a parsed statement, with its field values. */
type Node = { readonly kind: string; readonly fields: ReadonlyMap<string, readonly Value[]> };
type Value = string | Node | readonly Value[];

const isNode = (value: Value): value is Node => typeof value === 'object' && 'kind' in value;

/** Parses PostgreSQL's text format of a parsed statement. */
function readNodes(text: string): Value[] {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}()]|(?:\\.|[^\s{}()])+/g) ?? [];
  let at = 0;
  const readValue = (): Value => {
    const token = tokens[at++] ?? '';
    if (token === '(') return readUntil(')');
    if (token !== '{') return token;
    const kind = tokens[at++] ?? '';
    const fields = new Map<string, Value[]>();
    let values: Value[] = [];
    while (at < tokens.length && tokens[at] !== '}') {
      const value = readValue();
      if (typeof value === 'string' && value.startsWith(':')) {
        values = [];
        fields.set(value.slice(1), values);
      } else values.push(value);
    }
    at++;
    return { kind, fields };
  };
  const readUntil = (end: string): Value[] => {
    const values: Value[] = [];
    while (at < tokens.length && tokens[at] !== end) values.push(readValue());
    at++;
    return values;
  };
  return readUntil('');
}

/** Returns a value's child values. If `isWithin` is true, skips nested statements. */
const below = (value: Value, isWithin: boolean): Value[] => {
  if (typeof value === 'string') return [];
  if (!isNode(value)) return [...value];
  return isWithin && value.kind === 'QUERY' ? [] : [...value.fields.values()].flat();
};

const some = (value: Value, is: (node: Node) => boolean): boolean =>
  (isNode(value) && is(value)) || below(value, true).some((each) => some(each, is));

/** True if an expression calls one of these functions on a column or inside a condition. */
function callsOnColumns(value: Value, mutable: ReadonlySet<string>): boolean {
  const isCall = ({ fields }: Node): boolean =>
    [...(fields.get('funcid') ?? []), ...(fields.get('opfuncid') ?? [])].some(
      (id) => typeof id === 'string' && mutable.has(id),
    );
  return some(value, (node) => {
    if (node.kind === 'CASE' || node.kind === 'CASEEXPR' || node.kind.startsWith('COALESCE'))
      return some(node, isCall);
    return isCall(node) && some(node, ({ kind }) => kind === 'VAR');
  });
}

/** Returns all statements inside a parsed statement, including nested ones. */
const queriesOf = (value: Value): Node[] => [
  ...(isNode(value) && value.kind === 'QUERY' ? [value] : []),
  ...below(value, false).flatMap(queriesOf),
];

/** Codes of the command types for updates and deletions. */
const changing = new Set(['2', '4']);

/** Returns the IDs of the functions whose result isn't constant. */
export async function readMutableFunctions(query: Query): Promise<ReadonlySet<string>> {
  const rows = await query<{ id: string }>(`SELECT oid::text AS id FROM pg_proc WHERE provolatile <> 'i'`);
  return new Set(rows.map(({ id }) => id));
}

/** True if an update or deletion in the statement calls one of these functions on a column. */
export async function callsOnColumnsIn(
  { transaction }: Pick<Database, 'transaction'>,
  text: string,
  mutable: ReadonlySet<string>,
): Promise<boolean> {
  const body = await transaction(async ({ query }) => {
    await query(`PREPARE judged AS ${text}`);
    const [prepared] = await query<{ types: string }>(
      `SELECT array_to_string(parameter_types, ', ') AS types FROM pg_prepared_statements WHERE name = 'judged'`,
    );
    await query('DEALLOCATE judged');
    const signature = `judged(${prepared?.types ?? ''})`;
    await query(`CREATE FUNCTION ${signature} RETURNS void LANGUAGE sql BEGIN ATOMIC ${text}; END`);
    const [row] = await query<{ text: string }>(
      `SELECT prosqlbody::text AS text FROM pg_proc WHERE proname = 'judged'`,
    );
    await query(`DROP FUNCTION ${signature}`);
    return row?.text ?? '';
  });
  return readNodes(body)
    .flatMap(queriesOf)
    .filter(({ fields }) => changing.has(String(fields.get('commandType')?.[0])))
    .some(({ fields }) =>
      ['targetList', 'jointree'].some((name) =>
        (fields.get(name) ?? []).some((value) => callsOnColumns(value, mutable)),
      ),
    );
}
