import { type DocumentNode, Kind, OperationTypeNode, parse, visit } from 'graphql';
import { LRUCache } from 'lru-cache';

/** Root fields of a document, and its names for fields. */
export type DescribedDocument = {
  readonly rootFields: readonly string[];
  /** Whether the document contains only queries, and at least one. */
  readonly isRead: boolean;
  /** Fields by response key or variable, for keys that differ from the field. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
};

const nothing: DescribedDocument = { rootFields: [], isRead: false, fields: new Map() };

function describe(document: DocumentNode): DescribedDocument {
  const rootFields: string[] = [];
  const fields = new Map<string, Set<string>>();
  const add = (key: string, field: string): void => {
    fields.getOrInsertComputed(key, () => new Set()).add(field);
  };
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION)
      for (const selection of definition.selectionSet.selections)
        if (selection.kind === Kind.FIELD) rootFields.push(selection.name.value);
  visit(document, {
    Field: ({ alias, name }) => {
      if (alias !== undefined) add(alias.value, name.value);
    },
    Argument: ({ name, value }) => {
      if (value.kind === Kind.VARIABLE) add(value.name.value, name.value);
    },
    ObjectField: ({ name, value }) => {
      if (value.kind === Kind.VARIABLE) add(value.name.value, name.value);
    },
  });
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const isRead =
    operations.length > 0 &&
    operations.every((each) => 'operation' in each && each.operation === OperationTypeNode.QUERY);
  return { rootFields, isRead, fields: new Map([...fields].map(([key, of]) => [key, [...of, key]])) };
}

/** Maximum number of characters of all cached documents. */
const maxCharacters = 8 * 1_024 * 1_024;

const known = new LRUCache<string, DescribedDocument>({
  maxSize: maxCharacters,
  sizeCalculation: (_described, text) => text.length + 1,
});

/** Describes the text of a document. An invalid document has no root fields. */
export function describeDocument(text: string): DescribedDocument {
  const found = known.get(text);
  if (found !== undefined) return found;
  let described = nothing;
  try {
    described = describe(parse(text, { noLocation: true }));
  } catch {
    // The caller got the syntax error.
  }
  known.set(text, described);
  return described;
}
