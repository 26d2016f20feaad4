import { isAllowed, type Membership } from '../data/viewer.ts';
import { addonActivate } from './addon-activate.tsx';
import { addonDeactivate } from './addon-deactivate.tsx';
import { adjustment } from './adjustment.tsx';
import { autoTopUpRemove } from './auto-top-up-remove.ts';
import { autoTopUpResume } from './auto-top-up-resume.ts';
import { autoTopUpSet } from './auto-top-up-set.tsx';
import { balanceAdjust } from './balance-adjust.tsx';
import { balanceTopUp } from './balance-top-up.tsx';
import { cancel } from './cancel.tsx';
import { cardLink } from './card-link.tsx';
import { changePlan } from './change-plan.tsx';
import { charge } from './charge.tsx';
import type { AnyCommand, Subject } from './command.ts';
import { commitmentPurchase } from './commitment-purchase.tsx';
import { commitmentUpdate } from './commitment-update.tsx';
import { create } from './create.tsx';
import { creditCreate } from './credit-create.tsx';
import { creditRevoke } from './credit-revoke.tsx';
import { creditsPurchase } from './credits-purchase.tsx';
import { lotExpirySet } from './lot-expiry-set.tsx';
import { lotGrant } from './lot-grant.tsx';
import { lotRevoke } from './lot-revoke.tsx';
import { offerApply } from './offer-apply.tsx';
import { offerRemove } from './offer-remove.ts';
import { paymentLink } from './payment-link.tsx';
import { planGrantCreate } from './plan-grant-create.tsx';
import { planGrantRevoke } from './plan-grant-revoke.tsx';
import { planGrantUpdate } from './plan-grant-update.tsx';
import { portalLink } from './portal-link.tsx';
import { quotaSet } from './quota-set.ts';
import { reactivate } from './reactivate.tsx';
import { recoveryLink } from './recovery-link.tsx';
import { retry } from './retry.tsx';
import { scheduledChangeRevoke } from './scheduled-change-revoke.ts';
import { seatsSet } from './seats-set.ts';
import { uncancel } from './uncancel.ts';
import { usageSet } from './usage-set.tsx';
import { usageTrack } from './usage-track.tsx';

/** Commands for customers and subscriptions, in menu order. */
const commands: readonly AnyCommand[] = [
  create,
  changePlan,
  scheduledChangeRevoke,
  uncancel,
  reactivate,
  offerApply,
  offerRemove,
  addonActivate,
  addonDeactivate,
  cancel,
  charge,
  retry,
  creditCreate,
  creditRevoke,
  adjustment,
  creditsPurchase,
  balanceTopUp,
  balanceAdjust,
  commitmentPurchase,
  commitmentUpdate,
  autoTopUpSet,
  autoTopUpResume,
  autoTopUpRemove,
  lotGrant,
  lotExpirySet,
  lotRevoke,
  seatsSet,
  quotaSet,
  usageTrack,
  usageSet,
  planGrantCreate,
  planGrantUpdate,
  planGrantRevoke,
  portalLink,
  paymentLink,
  cardLink,
  recoveryLink,
];

/** Returns the command with the given name. `undefined` if no command has that name. */
export const commandNamed = (name: string | undefined): AnyCommand | undefined =>
  commands.find((command) => command.name === name);

/** Name of the mutation in a GraphQL document: the first field of the operation. */
const mutationIn = (document: unknown): string => /\{\s*(\w+)/.exec(String(document))?.[1] ?? '';

/** Returns the commands that apply to a subject in an environment, and that a membership allows. */
export const commandsFor = (
  subject: Subject,
  environment: 'sandbox' | 'live',
  membership: Pick<Membership, 'role' | 'mutations'>,
): AnyCommand[] =>
  commands.filter(
    (command) =>
      command.applies(subject) &&
      (command.environment === undefined || command.environment === environment) &&
      isAllowed(membership, mutationIn(command.document)),
  );
