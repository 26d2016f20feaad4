import { Status } from '../../kit/badge.tsx';
import type { payments } from '../../words/en/payments.ts';
import { useWords } from '../../words/words.ts';

const tones = {
  canceled: 'neutral',
  failed: 'negative',
  pending: 'info',
  requires_action: 'warning',
  succeeded: 'positive',
} as const;

/** How far a refund has come. */
export const RefundStatus = ({ status }: { readonly status: keyof typeof tones }) => (
  <Status tone={tones[status]}>{useWords<typeof payments>('payments').refundStatuses[status]}</Status>
);
