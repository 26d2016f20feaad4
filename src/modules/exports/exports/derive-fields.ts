import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  Kind as NodeKind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { restViews } from '../../../graphql/declare/rest.ts';

export const isFields = (nodes: readonly { readonly kind: string }[]): nodes is readonly FieldNode[] =>
  nodes.every(({ kind }) => kind === NodeKind.FIELD);

/** Returns the fields that have scalar values and no arguments, starting with the ID. */
function plainFields(type: GraphQLObjectType): string {
  const plain = Object.values(type.getFields())
    .filter((field) => field.args.length === 0 && isLeafType(getNamedType(field.type)))
    .map(({ name }) => name);
  return plain.toSorted((a, b) => Number(b === 'id') - Number(a === 'id')).join(' ');
}

/** Returns a type's fields that a REST view contains. Without a view, returns all fields with scalar values. */
export function shownFields(type: GraphQLObjectType, view: string | undefined): readonly FieldNode[] {
  const fields = view === undefined ? undefined : restViews().get(view)?.fields;
  // The parsed text is always a single anonymous query, so the cast is safe.
  const [{ selectionSet }] = parse(`{ ${fields ?? plainFields(type)} }`).definitions as unknown as [
    OperationDefinitionNode,
  ];
  return selectionSet.selections as readonly FieldNode[];
}

/** Builds a query document that selects the given root fields. */
export const queryOf = (selectionSet: SelectionSetNode): DocumentNode => ({
  kind: NodeKind.DOCUMENT,
  definitions: [{ kind: NodeKind.OPERATION_DEFINITION, operation: OperationTypeNode.QUERY, selectionSet }],
});
