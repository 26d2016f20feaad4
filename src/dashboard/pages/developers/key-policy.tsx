import { useId } from 'react';
import { useAction, useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { MoneyField, NumberField } from '../../kit/number-field.tsx';
import { Select } from '../../kit/select.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Loading } from '../../kit/states.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { DataError } from '../../shell/data-error.tsx';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useDeveloperWords } from './developer-words.ts';
import {
  DeveloperKeyPolicyDocument,
  type DeveloperKeyPolicyQuery,
  DeveloperKeyPolicySetDocument,
} from './keys.graphql';

type Policy = DeveloperKeyPolicyQuery['apiKeyPolicy'];
type Key = { readonly id: string; readonly name: string };

const listKinds = ['all', 'allow', 'deny'] as const;
type ListKind = (typeof listKinds)[number];

type Values = {
  readonly maxAmountPerCall: number | null;
  readonly maxAmountPerDay: number | null;
  readonly approveAbove: number | null;
  readonly maxCallsPerHour: number | null;
  readonly listKind: ListKind;
  readonly operations: string;
  readonly approveOperations: string;
  readonly customers: string;
};

const listOf = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '');

function valuesOf({ operations, customers, approveOperations, ...amounts }: Policy): Values {
  const allow = operations?.allow ?? null;
  const deny = operations?.deny ?? null;
  return {
    maxAmountPerCall: amounts.maxAmountPerCall,
    maxAmountPerDay: amounts.maxAmountPerDay,
    approveAbove: amounts.approveAbove,
    maxCallsPerHour: amounts.maxCallsPerHour,
    listKind: allow !== null ? 'allow' : deny !== null ? 'deny' : 'all',
    operations: (allow ?? deny ?? []).join(' '),
    approveOperations: approveOperations.join(' '),
    customers: (customers?.ids ?? []).join(' '),
  };
}

/** Returns the input of the mutation. A property of the metadata that determines the customers is kept. */
function inputOf(id: string, values: Values, { customers }: Policy) {
  const { listKind, operations, approveOperations, customers: ids, ...amounts } = values;
  const own = listOf(ids);
  const metadata = customers?.metadata ?? null;
  return {
    id,
    ...amounts,
    ...(listKind !== 'all' && { operations: { [listKind]: listOf(operations) } }),
    approveOperations: listOf(approveOperations),
    ...(own.length > 0 ? { customers: { ids: own } } : metadata !== null && { customers: { metadata } }),
  };
}

type KeyPolicyProps = { readonly of: Key; readonly onClose: () => void };

/** Sheet with the policy of an API key. */
export function KeyPolicy({ of, onClose }: KeyPolicyProps) {
  const words = useDeveloperWords();
  const { data, error, refetch } = useData(DeveloperKeyPolicyDocument, { id: of.id });
  if (data !== null) return <PolicyForm of={of} policy={data.apiKeyPolicy} onClose={onClose} />;
  return (
    <Sheet isOpen onClose={onClose} title={words.policyTitle({ name: of.name })}>
      {error === null ? <Loading lines={6} /> : <DataError error={error} onRetry={refetch} />}
    </Sheet>
  );
}

function PolicyForm({ of, policy, onClose }: KeyPolicyProps & { readonly policy: Policy }) {
  const words = useDeveloperWords();
  const form = useId();
  const [set, { isRunning, error }] = useAction(DeveloperKeyPolicySetDocument);
  const draft = useDraft(valuesOf(policy), {
    needsChange: true,
    send: (values) => set({ input: inputOf(of.id, values, policy) }),
    onDone: () => {
      notify(words.policySaved);
      onClose();
    },
  });
  const { values, change, field } = draft;
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.policyTitle({ name: of.name })}
      subtitle={words.policyAbout}
      actions={
        <Button kind="primary" type="submit" form={form} isDisabled={!draft.isReady} isPending={isRunning}>
          {words.policySave}
        </Button>
      }
    >
      <Form id={form} draft={draft} errors={error?.details ?? []}>
        <Stack gap={4}>
          <MoneyField
            currency="usd"
            name="maxAmountPerCall"
            label={words.maxAmountPerCall}
            help={words.amountHelp}
            {...field('maxAmountPerCall')}
          />
          <MoneyField
            currency="usd"
            name="maxAmountPerDay"
            label={words.maxAmountPerDay}
            help={words.dayHelp}
            {...field('maxAmountPerDay')}
          />
          <MoneyField
            currency="usd"
            name="approveAbove"
            label={words.approveAbove}
            help={words.approveAboveHelp}
            {...field('approveAbove')}
          />
          <NumberField
            name="maxCallsPerHour"
            label={words.maxCallsPerHour}
            minValue={0}
            value={values.maxCallsPerHour ?? Number.NaN}
            onChange={(value) => change({ maxCallsPerHour: Number.isNaN(value) ? null : value })}
          />
          <Select
            label={words.operations}
            value={values.listKind}
            onChange={(value) => change({ listKind: value as ListKind })}
            options={listKinds.map((value) => ({ value, label: words.operationLists[value] }))}
          />
          {values.listKind !== 'all' && (
            <TextField
              code
              name="operations"
              label={words.operationNames}
              help={words.operationNamesHelp}
              {...field('operations')}
            />
          )}
          <TextField
            code
            name="approveOperations"
            label={words.approveOperations}
            help={words.operationNamesHelp}
            {...field('approveOperations')}
          />
          <TextField
            code
            name="customers"
            label={words.policyCustomers}
            help={words.policyCustomersHelp}
            {...field('customers')}
          />
          <Rejection error={error} />
        </Stack>
      </Form>
    </Sheet>
  );
}
