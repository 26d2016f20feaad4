import type { ReactNode } from 'react';
import { dateTimeText } from '../../../ui/format/dates.ts';
import { Row, Stack } from '../../kit/layout.tsx';
import { Meter } from '../../kit/progress.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { type Measured, useLimitAmount } from './amounts.ts';
import { LimitBadges } from './limit-badges.tsx';
import { limitTitle, useLimitWords, windowText } from './limit-words.ts';
import type { LimitAmountsFragment, LimitNowFragment } from './limits.graphql';

/** Time of a reset in the customer's time zone. The tooltip contains the time in UTC. */
export function ResetTime({ at, timeZone }: { readonly at: string; readonly timeZone: string }) {
  const settings = useKit();
  const words = useLimitWords();
  return (
    <time dateTime={at} title={dateTimeText(at, { ...settings, timeZone: 'UTC' })}>
      {words.resets({ time: dateTimeText(at, { ...settings, timeZone }) })}
    </time>
  );
}

type Amounts = Measured & Pick<LimitAmountsFragment, 'amount' | 'raise' | 'used' | 'held' | 'remaining'>;

/** Share of the amount with its raises that is used or held, from 0. A limit of 0 is always used completely. */
export function shareOf({ amount, raise, used, held }: Amounts): number {
  const most = Number(amount ?? 0) + Number(raise);
  return most === 0 ? 1 : (Number(used) + Number(held ?? 0)) / most;
}

/** Texts of the used, raised, held, and remaining amounts. */
export function useAmounts(state: Amounts) {
  const words = useLimitWords();
  const text = useLimitAmount(state);
  const { measure, amount, raise, used, held, remaining } = state;
  const heldText = held === null ? null : words.held({ amount: text(held) });
  if (amount === null) return { value: words.usedOnly({ used: text(used) }), left: null, held: heldText };
  const values = { used: text(used), amount: text(amount), raise: text(raise) };
  if (measure === 'remaining') return { value: words.available(values), left: null, held: heldText };
  return {
    value: Number(raise) === 0 ? words.usedOf(values) : words.usedOfRaised(values),
    left: words.left({ amount: text(remaining ?? '0') }),
    held: heldText,
  };
}

type LimitFrameProps = {
  readonly badges: ReactNode;
  readonly actions?: ReactNode;
  readonly title: string;
  /** Share of the amount that is used. `null` if the value is a text. */
  readonly share: number | null;
  readonly value: string;
  /** Texts below the bar. Texts that don't apply are `null`. */
  readonly details: readonly (string | null)[];
  readonly resetsAt: string | null;
  readonly timeZone: string;
  readonly children?: ReactNode;
};

/** Layout of a limit: its effect, its value as a bar or a text, its details, and its reset time. */
export function LimitFrame(props: LimitFrameProps) {
  const { badges, actions, title, share, value, details, resetsAt, timeZone, children } = props;
  return (
    <Stack gap={2} as="li">
      <Row justify="between">
        {badges}
        {actions}
      </Row>
      {share === null ? (
        <Row justify="between">
          <Text weight="medium">{title}</Text>
          <Text color="muted">{value}</Text>
        </Row>
      ) : (
        <Meter label={title} share={share} value={value} />
      )}
      <Row justify="between">
        <Text size="sm" color="muted">
          {details.filter((text) => text !== null).join(' · ')}
        </Text>
        {resetsAt !== null && (
          <Text size="sm" color="muted">
            <ResetTime at={resetsAt} timeZone={timeZone} />
          </Text>
        )}
      </Row>
      {children}
    </Stack>
  );
}

type LimitBarProps = {
  readonly state: LimitNowFragment;
  readonly timeZone: string;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
};

/** Current value of a limit as a bar, with its amounts, effect, and reset time. */
export function LimitBar({ state, ...props }: LimitBarProps) {
  const words = useLimitWords();
  const { limit, resetsAt } = state;
  const { value, left, held } = useAmounts(state);
  const features = limit.filter.features.join(', ');
  return (
    <LimitFrame
      {...props}
      badges={
        <Row gap={2}>
          <LimitBadges limit={limit} />
          <Text size="sm" color="muted" code={state.node.key !== null}>
            {state.node.key ?? words.eachCustomer}
          </Text>
        </Row>
      }
      title={limitTitle(words, limit)}
      share={state.amount === null || state.measure === 'remaining' ? null : shareOf(state)}
      value={value}
      details={[
        left,
        held,
        limit.name === null
          ? null
          : words.title({ measure: words.measures[limit.measure], window: windowText(words, limit.window) }),
        features === '' ? null : words.onlyFeatures({ features }),
      ]}
      resetsAt={resetsAt}
    />
  );
}
