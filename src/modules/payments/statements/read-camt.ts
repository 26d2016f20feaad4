import { SaxesParser } from 'saxes';
import { specificError } from '../../../domain/errors/errors.ts';
import type { RawEntry } from '../../../domain/payments/statements/entries.ts';

/** Largest number of nested elements. Statements have about 12. */
const deepest = 40;

/** Values of one element of a statement, by the path below the element. */
type Values = Map<string, string[]>;

const namespace = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(0[2-9]|1[0-3])$/;

const root = 'Document/BkToCstmrStmt/Stmt';
const entryPath = `${root}/Ntry`;
const detailPath = `${entryPath}/NtryDtls/TxDtls`;

const first = (values: Values, ...paths: readonly string[]): string | null =>
  paths.flatMap((path) => values.get(path) ?? []).find((text) => text !== '') ?? null;

/** Returns the text of a payment: the structured reference, the end-to-end ID, and the unstructured text. */
function textOf(detail: Values): string | null {
  const endToEndId = first(detail, 'Refs/EndToEndId');
  const parts = [
    first(detail, 'RmtInf/Strd/CdtrRefInf/Ref'),
    endToEndId === 'NOTPROVIDED' ? null : endToEndId,
    ...(detail.get('RmtInf/Ustrd') ?? []),
  ];
  return parts.filter((part) => part !== null && part !== '').join(' ') || null;
}

/** Returns the entries of one `Ntry` element. An entry with several payments contains one entry for each payment. */
function entriesOf(account: string | null, entry: Values, details: readonly Values[]): RawEntry[] {
  const head = {
    account,
    isBooked: first(entry, 'Sts/Cd', 'Sts') === 'BOOK',
    bookedOn: first(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt'),
  };
  const isOnly = details.length <= 1;
  return (isOnly ? [details[0] ?? new Map<string, string[]>()] : details).map((detail) => ({
    ...head,
    isDebit: first(detail, 'CdtDbtInd') === 'DBIT' || first(entry, 'CdtDbtInd') !== 'CRDT',
    amount: isOnly ? first(entry, 'Amt') : first(detail, 'Amt', 'AmtDtls/TxAmt/Amt'),
    currency: isOnly ? first(entry, 'Amt@Ccy') : first(detail, 'Amt@Ccy', 'AmtDtls/TxAmt/Amt@Ccy'),
    text: textOf(detail) ?? (isOnly ? first(entry, 'AddtlNtryInf') : null),
    payerName: first(detail, 'RltdPties/Dbtr/Nm', 'RltdPties/Dbtr/Pty/Nm'),
    bankReference: isOnly
      ? (first(entry, 'AcctSvcrRef', 'NtryRef') ?? first(detail, 'Refs/AcctSvcrRef', 'Refs/TxId'))
      : first(detail, 'Refs/AcctSvcrRef', 'Refs/TxId', 'Refs/EndToEndId'),
  }));
}

/**
 * Reads the entries of a camt.053 statement. The parser expands only the five entities of XML. Throws `validation_error` if the file isn't
 * well-formed, contains a document type declaration, has another format, or has more than `most` entries.
 */
export function readCamt(content: string, most: number): RawEntry[] {
  const entries: RawEntry[] = [];
  const path: string[] = [];
  let account: string | null = null;
  let entry: Values | null = null;
  let details: Values[] = [];
  let text = '';
  const put = (key: string, value: string): void => {
    const inDetail = key.startsWith(`${detailPath}/`) ? details.at(-1) : undefined;
    const target = inDetail ?? entry;
    const name = key.slice((inDetail === undefined ? entryPath : detailPath).length + 1);
    // A list is extended in place, so that the time doesn't grow with the square of repeated elements.
    if (target !== null && key.startsWith(`${entryPath}/`))
      target.getOrInsertComputed(name, (): string[] => []).push(value);
  };
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', () => {
    throw specificError('validation_error', 'statement_malformed', { param: 'content' });
  });
  parser.on('doctype', () => {
    throw specificError('validation_error', 'statement_doctype', { param: 'content' });
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (path.length === 0 && !(local === 'Document' && namespace.test(uri)))
      throw specificError('validation_error', 'statement_format', { param: 'content' });
    path.push(local);
    if (path.length > deepest)
      throw specificError('validation_error', 'statement_malformed', { param: 'content' });
    text = '';
    const key = path.join('/');
    if (key === root) account = null;
    if (key === entryPath) [entry, details] = [new Map(), []];
    if (key === detailPath) details.push(new Map());
    for (const attribute of Object.values(attributes))
      if (attribute.local === 'Ccy') put(`${key}@Ccy`, attribute.value);
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('closetag', () => {
    const key = path.join('/');
    const value = text.trim();
    text = '';
    if (key === `${root}/Acct/Id/IBAN` || key === `${root}/Acct/Id/Othr/Id`) account ??= value;
    if (value !== '') put(key, value);
    if (key === entryPath && entry !== null) {
      entries.push(...entriesOf(account, entry, details));
      entry = null;
      if (entries.length > most)
        throw specificError('validation_error', 'statement_entries', {
          param: 'content',
          values: { most: String(most) },
        });
    }
    path.pop();
  });
  parser.write(content).close();
  return entries;
}
