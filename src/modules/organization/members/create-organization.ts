import { specificError } from '../../../domain/errors/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { insertOrganization } from '../organizations/create.ts';
import { demandProvisioning } from '../provisioning/provision.ts';
import { lockPerson, type MembershipRow, personOf } from './store.ts';

/** Maximum number of organizations that a user can own. */
const maxOwned = 20;

type OrganizationInput = {
  readonly name: string;
  readonly country?: string | null | undefined;
  readonly businessType?: string | null | undefined;
};

/**
 * Creates an organization with both environments. The signed-in user becomes the owner. `isProvisioned` is `true`, because anyone can
 * create an account. Throws `forbidden` if provisioning is turned off, and `validation_error` if the user already owns the maximum number
 * of organizations.
 */
export async function createOwnOrganization(
  { app, caller }: Context,
  { name, country, businessType }: OrganizationInput,
): Promise<MembershipRow> {
  demandProvisioning(app.config);
  const { id: userId } = personOf(caller);
  const now = app.wall.now();
  return app.database.transaction(async (transaction) => {
    const { member } = transaction.prisma;
    await lockPerson(transaction.query, userId);
    if ((await member.count({ where: { userId, role: 'owner' } })) >= maxOwned)
      throw specificError('validation_error', 'too_many_organizations', { values: { maxOwned } });
    const { organization } = await insertOrganization(
      transaction,
      { name, country: country ?? null, businessType: businessType ?? null, isProvisioned: true },
      now,
    );
    return member.create({
      data: { id: newId('mem'), organizationId: organization.id, userId, role: 'owner', createdAt: now },
      include: { organization: true },
    });
  });
}
