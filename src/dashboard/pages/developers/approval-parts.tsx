import { moneyText } from '../../../ui/format/money.ts';
import { Badge } from '../../kit/badge.tsx';
import { useKit } from '../../kit/provider.tsx';
import type { ApprovalLineFragment } from './approvals.graphql';
import { useDeveloperWords } from './developer-words.ts';

const tones = {
  pending: 'warning',
  approved: 'positive',
  used: 'positive',
  rejected: 'negative',
  expired: 'neutral',
} as const;

export function ApprovalState({ of }: { readonly of: ApprovalLineFragment['status'] }) {
  const words = useDeveloperWords();
  return <Badge tone={tones[of]}>{words.approvalStatus[of]}</Badge>;
}

/** Money that an operation moves, or the amount by which a limit is raised. */
export function RequestedAmount({ of }: { readonly of: ApprovalLineFragment }) {
  const { locale } = useKit();
  const words = useDeveloperWords();
  if (of.raise !== null) return words.raiseBy({ amount: of.raise });
  return of.money.length === 0
    ? words.noMoney
    : of.money.map(({ amount, currency }) => moneyText(amount, currency, locale)).join(' + ');
}
