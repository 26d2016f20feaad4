import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { newId } from '../../platform/ids.ts';
import { insertOrganization } from '../organizations/create.ts';
import { demandProvisioning } from '../provisioning/provision.ts';
import { lockPerson, type MembershipRow, personOf } from './store.ts';

/** A person owns no more organizations than this when another one is made. */
const maxOwned = 20;

type OrganizationInput = {
  readonly name: string;
  readonly country?: string | null | undefined;
  readonly businessType?: string | null | undefined;
};

/**
 * Makes an organization whose owner is the signed-in person, with both environments. Anybody can make an account, so that the organization counts as
 * provisioned. Throws `forbidden` where provisioning is switched off, and `validation_error` for a person who owns too many.
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
