import { moveEnd } from '../../lots/movements.ts';
import { applyRaise, moveAccount } from '../allowances/allowance.ts';
import { moveCreditEnd } from '../invoicing/credits.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection } from '../state/rejections.ts';
import { lotNeeds, type OnLot, openLotOf } from './lot-revoke.ts';

type Input = OnLot & { readonly expiresAt: Date | null };

/**
 * Changes the end of a lot, and reschedules its expiry (PRM-21). Fails with `not_found` if the lot is closed, and
 * with `validation_error` if the lot ends with its window, the new end isn't in the future, or a prepaid commitment gets no
 * end.
 */
export const lotSetExpiry = customerCommand({
  kind: 'lot.set_expiry',
  ignoresUsage: true,
  needs: (input: Input) => lotNeeds(input),
  decide(draft: Draft, input: Input): Decision {
    const { expiresAt } = input;
    const lot = openLotOf(draft, input);
    if ('code' in lot) return draft.reject(lot);
    if (lot.endsWithWindow || lot.source === 'overdraft')
      return draft.reject(fieldRejection('id', 'The lot ends with its usage window.'));
    if (expiresAt !== null && expiresAt <= draft.now)
      return draft.reject(fieldRejection('expiresAt', 'A lot must expire in the future.'));
    if (expiresAt === null && lot.commitment !== null)
      return draft.reject(fieldRejection('expiresAt', 'A prepaid commitment must have an end.'));
    if (lot.expiresAt?.getTime() === expiresAt?.getTime()) return draft.done('unchanged', lot.subscriptionId);
    if (lot.subscriptionId === null) moveCreditEnd(draft, lot, expiresAt);
    else {
      const subscription = draft.subscriptions.get(lot.subscriptionId);
      const account = applyRaise(draft, subscription);
      const details = { sourceId: null, description: null };
      moveAccount(draft, subscription, moveEnd(account, lot, expiresAt), details);
    }
    return draft.done('done', lot.subscriptionId);
  },
});
