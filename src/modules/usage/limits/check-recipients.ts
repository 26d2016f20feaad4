import { validationError } from '../../../domain/errors/errors.ts';
import type { TransactionContext } from '../../../request/context.ts';
import { readReachable } from '../../organization/organizations/check-mail.ts';
import { readOrganization } from '../../organization/organizations/store.ts';

/** Throws `validation_error` unless each address belongs to a member or is the notification recipient of the organization. */
export async function checkRecipients(tx: TransactionContext, recipients: readonly string[]): Promise<void> {
  if (recipients.length === 0) return;
  const { notificationEmail } = await readOrganization(tx);
  const isMember = await readReachable(tx, recipients);
  const index = recipients.findIndex((address) => address !== notificationEmail && !isMember(address));
  if (index >= 0)
    throw validationError([
      {
        field: `recipients.${index}`,
        message: 'must be the address of a member of the organization, or of its notification recipient',
      },
    ]);
}
