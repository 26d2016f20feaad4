import type { GraphQLSchema } from 'graphql';
import { isLimited, type MemberRole } from '../../../domain/limits/member-roles.ts';
import { type Access, isOpenToRole } from '../../../graphql/declare/access.ts';
import { operationsIn } from '../../../graphql/declare/areas.ts';

/** Returns the names of the mutations that a limited role can call, sorted by name. `null` if the role isn't limited. */
export function listMutations(schema: GraphQLSchema, role: MemberRole): string[] | null {
  if (!isLimited(role)) return null;
  return operationsIn(schema)
    .filter(({ extensions }) => {
      const { access, isMutation } = extensions as {
        readonly access?: Access;
        readonly isMutation?: boolean;
      };
      return isMutation === true && access !== undefined && isOpenToRole(access, role);
    })
    .map(({ name }) => name)
    .toSorted();
}
