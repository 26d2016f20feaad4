import type { GraphQLSchema } from 'graphql';
import { allowsOperation } from '../../../domain/limits/key-policy.ts';
import { type Access, isCovered } from '../../../graphql/declare/access.ts';
import { findArea, operationsIn } from '../../../graphql/declare/areas.ts';
import { keyCaller } from '../../../request/key-caller.ts';
import type { ApiKeyRow } from './mint.ts';

type Key = Pick<ApiKeyRow, 'id' | 'scopes' | 'permissions' | 'policy'>;

/** Returns the names of the operations that an API key can call in its environment, sorted by name. */
export function listOperations(schema: GraphQLSchema, key: Key, livemode: boolean): string[] {
  const caller = keyCaller(key);
  const fields = operationsIn(schema);
  const isCallable = ({ name, extensions }: (typeof fields)[number]): boolean => {
    const { access } = extensions as { readonly access?: Access };
    if (access === undefined || !('scope' in access) || !isCovered(access, { caller })) return false;
    if (access.environment !== undefined && (access.environment === 'live') !== livemode) return false;
    if (access.settings === true && !livemode) return false;
    return key.policy === null || allowsOperation(key.policy, { name, area: findArea(name) ?? '' });
  };
  return fields
    .filter(isCallable)
    .map(({ name }) => name)
    .toSorted();
}
