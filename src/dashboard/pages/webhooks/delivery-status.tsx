import { durationText } from '../../../ui/format/durations.ts';
import { Status } from '../../kit/badge.tsx';
import { useKit } from '../../kit/provider.tsx';
import type { Tone } from '../../kit/tone.ts';
import { eventName } from '../../parts/events/event-name.ts';
import type { DeliveryRowFragment } from './deliveries.graphql';
import { useWebhookWords } from './webhook-words.ts';

const tones: Readonly<Record<DeliveryRowFragment['status'], Tone>> = {
  succeeded: 'positive',
  failed: 'negative',
  pending: 'info',
  canceled: 'neutral',
};

export function DeliveryStatus({ status }: Pick<DeliveryRowFragment, 'status'>) {
  const words = useWebhookWords();
  return <Status tone={tones[status]}>{words.statuses[status]}</Status>;
}

/** Shows the event type of a delivery, or a label if the delivery was a test. */
export function DeliveryEvent({ event }: Pick<DeliveryRowFragment, 'event'>) {
  const words = useWebhookWords();
  return event === null ? words.test : eventName(event);
}

type Answer = { readonly status: number | null; readonly error: string | null; readonly isTried: boolean };

/** Shows the status code of the endpoint's response, or the reason why there was no response. */
export function DeliveryAnswer({ status, error, isTried }: Answer) {
  const words = useWebhookWords();
  if (status !== null) return String(status);
  return isTried ? (error ?? words.noAnswer) : '–';
}

export function Took({ durationMs }: Pick<DeliveryRowFragment, 'durationMs'>) {
  const { locale } = useKit();
  return durationMs === null ? '–' : durationText(durationMs, locale);
}
