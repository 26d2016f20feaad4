import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Area, Scope } from '../../domain/limits/permissions.ts';
import { findArea } from './areas.ts';

// Scopes that an operation's nested selections require, in addition to the root field's scopes (PLT-13a), with the areas of the selected
// objects.

/** Extensions on GraphQL types that represent resources. */
type ResourceExtensions = {
  readonly node?: { readonly access?: object };
  readonly pothosPrismaModel?: string;
};

/** Returns the scopes that a resource type requires. Defaults to `read`. `null` if the type isn't a resource, such as a payload or connection. */
function resourceScopes(type: GraphQLNamedType): readonly Scope[] | null {
  if (!isObjectType(type)) return null;
  const { node, pothosPrismaModel } = type.extensions as ResourceExtensions;
  if (node === undefined && pothosPrismaModel === undefined) return null;
  const { scope = 'read' } = (node?.access ?? {}) as { readonly scope?: Scope | readonly Scope[] };
  return typeof scope === 'string' ? [scope] : scope;
}

/** Extensions on fields that require an additional scope wherever they are selected. */
type FieldExtensions = { readonly scope?: Scope };

/** Scope that a selection requires, and the area of the selected object. The area is `null` if the object belongs to no area. */
export type Reached = { readonly scope: Scope; readonly area: string | null };

/** Position in a selection: `isInside` is true below the first resource. The area belongs to the nearest resource. */
type Place = { readonly isInside: boolean; readonly area: string | null };

/** State of a traversal that collects scopes. */
type Walk = {
  readonly schema: GraphQLSchema;
  readonly fragments: { readonly [name: string]: FragmentDefinitionNode };
  readonly needed: Map<string, Reached>;
};

/** Returns the area of a resource type, such as `customers` for `Customer`. `null` if the type belongs to no area. */
export const areaOfType = ({ name }: GraphQLNamedType): Area | null =>
  findArea(`${name.charAt(0).toLowerCase()}${name.slice(1)}`);

const need = ({ needed }: Walk, scope: Scope, area: string | null): unknown =>
  needed.set(`${area}:${scope}`, { scope, area });

function visitField(walk: Walk, type: GraphQLNamedType, node: FieldNode, place: Place): void {
  if (!isObjectType(type) && !isInterfaceType(type)) return;
  const field = type.getFields()[node.name.value];
  if (field === undefined) return;
  const { scope } = field.extensions as FieldExtensions;
  if (scope !== undefined) need(walk, scope, place.area);
  if (node.selectionSet === undefined) return;
  const reached = getNamedType(field.type);
  if (isLeafType(reached)) return;
  const scopes = resourceScopes(reached);
  const area = scopes === null ? place.area : areaOfType(reached);
  if (place.isInside) for (const each of scopes ?? ['read' as const]) need(walk, each, area);
  visit(walk, reached, node.selectionSet, { isInside: place.isInside || scopes !== null, area });
}

function visitFragment(
  walk: Walk,
  type: GraphQLNamedType,
  { name, selectionSet }: { readonly name: string | undefined; readonly selectionSet: SelectionSetNode },
  place: Place,
): void {
  const narrowed = name === undefined ? type : (walk.schema.getType(name) ?? type);
  // Members of unions and interfaces are skipped here. If the caller may not read them, they are omitted when they are loaded.
  const scopes = isAbstractType(type) ? resourceScopes(narrowed) : null;
  visit(walk, narrowed, selectionSet, {
    isInside: place.isInside || scopes !== null,
    area: scopes === null ? place.area : areaOfType(narrowed),
  });
}

/** Collects the scopes that a selection requires. */
function visit(walk: Walk, type: GraphQLNamedType, { selections }: SelectionSetNode, place: Place): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) visitField(walk, type, selection, place);
    else {
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : walk.fragments[selection.name.value];
      if (fragment !== undefined)
        visitFragment(
          walk,
          type,
          { name: fragment.typeCondition?.name.value, selectionSet: fragment.selectionSet },
          place,
        );
    }
  }
}

const known = new WeakMap<FieldNode, readonly Reached[]>();
const none: readonly Reached[] = [];

/**
 * Returns the scopes that a root field's selection requires, by area. The field's access covers the root object itself; related resources require
 * their own scopes. Results are cached by selection.
 */
export function reachedPermissions({
  fieldNodes,
  returnType,
  schema,
  fragments,
}: Pick<GraphQLResolveInfo, 'fieldNodes' | 'returnType' | 'schema' | 'fragments'>): readonly Reached[] {
  const [first] = fieldNodes;
  if (first === undefined) return none;
  const found = known.get(first);
  if (found !== undefined) return found;
  const walk: Walk = { schema, fragments, needed: new Map() };
  const type = getNamedType(returnType);
  const place = { isInside: resourceScopes(type) !== null, area: findArea(first.name.value) };
  for (const { selectionSet } of fieldNodes)
    if (selectionSet !== undefined) visit(walk, type, selectionSet, place);
  const reached = [...walk.needed.values()];
  known.set(first, reached);
  return reached;
}

/**
 * Marks a document that Quittance itself created, for example from the view for a REST route. Selections in the document require no
 * additional scopes.
 */
export function markDocumented({ definitions }: DocumentNode): void {
  for (const definition of definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION)
      for (const selection of definition.selectionSet.selections)
        if (selection.kind === Kind.FIELD) known.set(selection, none);
}
