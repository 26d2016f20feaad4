import { Status } from '../../kit/badge.tsx';
import { useWords } from '../../words/words.ts';

const tones = {
  canceled: 'neutral',
  failed: 'negative',
  pending: 'info',
  requires_action: 'warning',
  succeeded: 'positive',
} as const;

export const RefundStatus = ({ status }: { readonly status: keyof typeof tones }) => (
  <Status tone={tones[status]}>{useWords('payments').refundStatuses[status]}</Status>
);
