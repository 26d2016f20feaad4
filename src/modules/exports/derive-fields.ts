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
import { restViews } from '../../graphql/rest.ts';

export const isFields = (nodes: readonly { readonly kind: string }[]): nodes is readonly FieldNode[] =>
  nodes.every(({ kind }) => kind === NodeKind.FIELD);

/** Fields of the type that are values and take no arguments, an id first. */
function plainFields(type: GraphQLObjectType): string {
  const plain = Object.values(type.getFields())
    .filter((field) => field.args.length === 0 && isLeafType(getNamedType(field.type)))
    .map(({ name }) => name);
  return plain.toSorted((a, b) => Number(b === 'id') - Number(a === 'id')).join(' ');
}

/** The fields a REST view shows of a type; without a view all that are values. */
export function shownFields(type: GraphQLObjectType, view: string | undefined): readonly FieldNode[] {
  const fields = view === undefined ? undefined : restViews().get(view)?.fields;
  // The text is a selection and nothing else.
  const [{ selectionSet }] = parse(`{ ${fields ?? plainFields(type)} }`).definitions as unknown as [
    OperationDefinitionNode,
  ];
  return selectionSet.selections as readonly FieldNode[];
}

/** A query with these root fields. */
export const queryOf = (selectionSet: SelectionSetNode): DocumentNode => ({
  kind: NodeKind.DOCUMENT,
  definitions: [{ kind: NodeKind.OPERATION_DEFINITION, operation: OperationTypeNode.QUERY, selectionSet }],
});
