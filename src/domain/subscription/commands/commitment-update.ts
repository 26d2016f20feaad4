import { specificRejection } from '../../errors/errors.ts';
import type { CommitmentEnd } from '../../rows/purchase-rows.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = OnSubscription & {
  readonly lotId: string;
  /** `null` keeps the stored value. */
  readonly autoRenew: boolean | null;
  readonly atEnd: CommitmentEnd | null;
};

/** Changes the effects of the end of a commitment's term (PRM-24). Fails with `not_found` if the commitment has ended. */
export const commitmentUpdate = subscriptionCommand({
  kind: 'commitment.update',
  decide(draft: Draft, { id }: SubscriptionRow, { lotId, autoRenew, atEnd }: Input): Decision {
    const lot = draft.lots.find(lotId);
    if (lot?.isOpen !== true || lot.commitment === null || lot.subscriptionId !== id)
      return draft.reject(specificRejection('not_found', 'open_lot', { param: 'id' }));
    const { commitment } = lot;
    const changed = {
      ...commitment,
      autoRenew: autoRenew ?? commitment.autoRenew,
      atEnd: atEnd ?? commitment.atEnd,
    };
    if (changed.autoRenew === commitment.autoRenew && changed.atEnd === commitment.atEnd)
      return draft.done('unchanged', id);
    const account = draft.accounts.find(id);
    if (account === null) throw new Error(`The subscription ${id} has no account.`);
    draft.accounts.patch(id, { ...account, updatedAt: draft.now });
    draft.lots.patch(lotId, { commitment: changed });
    return draft.done('done', id);
  },
});
