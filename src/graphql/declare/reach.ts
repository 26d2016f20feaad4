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
import type { Scope } from '../../request/context.ts';

// Scopes that an operation's nested selections require, in addition to the root field's scopes (PLT-13a).

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

/** State of a traversal that collects scopes. */
type Walk = {
  readonly schema: GraphQLSchema;
  readonly fragments: { readonly [name: string]: FragmentDefinitionNode };
  readonly needed: Set<Scope>;
};

function visitField(walk: Walk, type: GraphQLNamedType, node: FieldNode, isInside: boolean): void {
  if (!isObjectType(type) && !isInterfaceType(type)) return;
  const field = type.getFields()[node.name.value];
  if (field === undefined) return;
  const { scope } = field.extensions as FieldExtensions;
  if (scope !== undefined) walk.needed.add(scope);
  if (node.selectionSet === undefined) return;
  const reached = getNamedType(field.type);
  if (isLeafType(reached)) return;
  const scopes = resourceScopes(reached);
  if (isInside) for (const scope of scopes ?? ['read' as const]) walk.needed.add(scope);
  visit(walk, reached, node.selectionSet, isInside || scopes !== null);
}

function visitFragment(
  walk: Walk,
  type: GraphQLNamedType,
  { name, selectionSet }: { readonly name: string | undefined; readonly selectionSet: SelectionSetNode },
  isInside: boolean,
): void {
  const narrowed = name === undefined ? type : (walk.schema.getType(name) ?? type);
  // Members of unions and interfaces are skipped here. If the caller may not read them, they are omitted when they are loaded.
  const scopes = isAbstractType(type) ? resourceScopes(narrowed) : null;
  visit(walk, narrowed, selectionSet, isInside || scopes !== null);
}

/** Collects the scopes that a selection requires. `isInside` is true below the first resource. */
function visit(
  walk: Walk,
  type: GraphQLNamedType,
  { selections }: SelectionSetNode,
  isInside: boolean,
): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) visitField(walk, type, selection, isInside);
    else {
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : walk.fragments[selection.name.value];
      if (fragment !== undefined)
        visitFragment(
          walk,
          type,
          { name: fragment.typeCondition?.name.value, selectionSet: fragment.selectionSet },
          isInside,
        );
    }
  }
}

const known = new WeakMap<FieldNode, ReadonlySet<Scope>>();
const none: ReadonlySet<Scope> = new Set();

/**
 * Returns the scopes that a root field's selection requires. The field's access covers the root object itself; related resources require
 * their own scopes. Results are cached by selection.
 */
export function reachedScopes({
  fieldNodes,
  returnType,
  schema,
  fragments,
}: Pick<GraphQLResolveInfo, 'fieldNodes' | 'returnType' | 'schema' | 'fragments'>): ReadonlySet<Scope> {
  const [first] = fieldNodes;
  if (first === undefined) return none;
  const found = known.get(first);
  if (found !== undefined) return found;
  const walk: Walk = { schema, fragments, needed: new Set() };
  const type = getNamedType(returnType);
  for (const { selectionSet } of fieldNodes)
    if (selectionSet !== undefined) visit(walk, type, selectionSet, resourceScopes(type) !== null);
  known.set(first, walk.needed);
  return walk.needed;
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
