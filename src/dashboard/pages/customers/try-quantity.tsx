import { useId, useState } from 'react';
import { dateTimeText } from '../../../ui/format/dates.ts';
import { countText } from '../../../ui/format/numbers.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAsk } from '../../data/send.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Form, FormGrid } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { NumberField } from '../../kit/number-field.tsx';
import { Section } from '../../kit/page.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useLimitAmount } from '../../parts/limits/amounts.ts';
import { limitTitle, useLimitWords } from '../../parts/limits/limit-words.ts';
import type { SubscriptionTermsFragment } from '../../parts/subscription/terms.graphql';
import { Rejection } from '../../shell/rejection.tsx';
import {
  CustomerUsageCheckDocument,
  type CustomerUsageCheckQuery,
  type LimitTryFragment,
} from './limits.graphql';

type Check = CustomerUsageCheckQuery['usageCheck'];

/** Amount that remains of a limit. */
function Remaining({ limit }: { readonly limit: LimitTryFragment }) {
  const text = useLimitAmount(limit);
  return <>{limit.remaining === null ? '–' : text(limit.remaining)}</>;
}

/** Result of a check: whether the quantity is accepted, the largest quantity, and the limits that apply. */
function Result({ check }: { readonly check: Check }) {
  const words = useLimitWords();
  const settings = useKit();
  const { allowed, message, maxQuantity, limits } = check;
  return (
    <Stack gap={3}>
      <Callout tone={allowed ? 'positive' : 'negative'} title={allowed ? words.accepted : words.rejected}>
        {!allowed && <Text as="p">{message}</Text>}
        {maxQuantity !== null && (
          <Text as="p">{words.largest({ quantity: countText(maxQuantity, settings.locale) })}</Text>
        )}
      </Callout>
      {limits !== null && limits.length > 0 && (
        <Table
          label={words.limits}
          rows={limits}
          rowKey={({ limitId, node }) => `${limitId} ${node.key}`}
          columns={[
            {
              id: 'limit',
              title: words.limit,
              cell: ({ limit, node }) => (
                <Stack gap={0}>
                  <Text>{limitTitle(words, limit)}</Text>
                  <Text size="sm" color="muted">
                    {node.key ?? words.eachCustomer}
                  </Text>
                </Stack>
              ),
            },
            {
              id: 'result',
              title: words.result,
              cell: ({ rejects }) => (rejects ? words.rejects : words.accepts),
            },
            {
              id: 'remaining',
              title: words.remaining,
              align: 'end',
              cell: (limit) => <Remaining limit={limit} />,
            },
            {
              id: 'fits',
              title: words.fits,
              cell: ({ rejects, fitsAt }) =>
                !rejects ? '–' : fitsAt === null ? words.neverFits : dateTimeText(fitsAt, settings),
            },
          ]}
        />
      )}
    </Stack>
  );
}

type TryQuantityProps = { readonly id: string; readonly subscription: SubscriptionTermsFragment };

/** Form that checks whether usage of a quantity would be accepted now, and which limit would reject it. */
export function TryQuantity({ id, subscription }: TryQuantityProps) {
  const form = useId();
  const words = useLimitWords();
  const ask = useAsk();
  const features = subscription.features.filter(({ type, enabled }) => type === 'usage' && enabled);
  const [feature, setFeature] = useState(features[0]?.code ?? null);
  const [quantity, setQuantity] = useState(1);
  const [budget, setBudget] = useState('');
  const [answer, setAnswer] = useState<Check | ApiError | null>(null);
  const [isRunning, setRunning] = useState(false);
  if (feature === null) return null;
  const check = async () => {
    setRunning(true);
    const key = budget.trim();
    const input = { customerId: id, featureCode: feature, quantity, ...(key !== '' && { budget: key }) };
    const result = await ask(CustomerUsageCheckDocument, { input });
    setAnswer(result instanceof ApiError ? result : result.usageCheck);
    setRunning(false);
  };
  return (
    <Section title={words.try}>
      <Stack gap={4}>
        <Text as="p" color="muted">
          {words.tryText}
        </Text>
        <Form
          id={form}
          onSubmit={() => void check()}
          errors={answer instanceof ApiError ? answer.details : []}
        >
          <FormGrid>
            <Select
              name="featureCode"
              label={words.feature}
              options={features.map(({ code, name }) => ({ value: code, label: name }))}
              value={feature}
              onChange={setFeature}
            />
            <NumberField
              name="quantity"
              label={words.quantity}
              minValue={1}
              value={quantity}
              onChange={setQuantity}
            />
            <TextField
              name="budget"
              label={words.budget}
              help={words.budgetHelp}
              code
              isOptional
              maxLength={201}
              value={budget}
              onChange={setBudget}
            />
          </FormGrid>
        </Form>
        <div>
          <Button type="submit" form={form} isPending={isRunning} isDisabled={Number.isNaN(quantity)}>
            {words.check}
          </Button>
        </div>
        <div aria-live="polite">
          {answer instanceof ApiError
            ? answer.details.length === 0 && <Rejection error={answer} />
            : answer !== null && <Result check={answer} />}
        </div>
      </Stack>
    </Section>
  );
}
