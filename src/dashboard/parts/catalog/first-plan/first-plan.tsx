import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { RadioGroup } from '../../../kit/choice.tsx';
import { Form, FormActions, FormGrid } from '../../../kit/form.tsx';
import { Card, Columns, Stack } from '../../../kit/layout.tsx';
import { MoneyField, NumberField } from '../../../kit/number-field.tsx';
import { Heading, Text } from '../../../kit/text.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { useDraft } from '../../../kit/use-draft.ts';
import { useWords } from '../../../words/words.ts';
import { FeatureTerms } from '../feature-terms.tsx';
import { InvoicePreview } from '../invoice-preview.tsx';
import { codeOfName } from '../model/code-batch.ts';
import { exampleInvoice } from '../model/first-invoice.ts';
import { withFeature, withPrice } from '../model/plan-draft.ts';
import { type FirstPlanDraft, type TemplateKind, templateDraft, templateKinds } from '../model/templates.ts';
import { PricingCard } from '../pricing-card.tsx';
import { Rejection } from '../rejection.tsx';
import { type MadePlan, useFirstPlan } from './use-first-plan.ts';

type FirstPlanProps = {
  /** Called with the IDs of the created plan and feature. */
  readonly onDone: (made: MadePlan) => void;
};

/**
 * Wizard for the first plan. Shows a template and its terms next to the pricing card and the first invoice. One button creates the feature, the plan,
 * the price and the feature's terms. If a step is rejected, the created objects remain, and the button continues with the rejected step.
 */
export function FirstPlan({ onDone }: FirstPlanProps) {
  const { first: words } = useWords('plans');
  const common = useWords('catalog');
  const start = (kind: TemplateKind): FirstPlanDraft => templateDraft(kind, words.templates[kind]);
  const [kind, setKind] = useState<TemplateKind>('flat');
  const { make, isRunning, done, error } = useFirstPlan();
  const [template, setTemplate] = useState(() => start('flat'));
  const draft = useDraft(template, {
    isReady: ({ plan: { name, features } }) => name.trim() !== '' && features[0]?.name.trim() !== '',
    send: async (values) => (await make(values)) ?? false,
    onDone,
  });
  const { plan, use } = draft.values;
  const [price] = plan.prices;
  const [feature] = plan.features;
  const set = (changed: typeof plan) => draft.change({ plan: changed });
  if (price === undefined || feature === undefined) return null;
  return (
    <Columns count="aside" gap={5}>
      <Stack gap={5}>
        <Stack gap={1}>
          <Heading level={2}>{words.title}</Heading>
          <Text color="muted">{words.text}</Text>
        </Stack>
        <RadioGroup
          label={words.template}
          look="cards"
          value={kind}
          isDisabled={done > 0}
          onChange={(value) => {
            setKind(value as TemplateKind);
            setTemplate(start(value as TemplateKind));
            draft.reset();
          }}
          options={templateKinds.map((value) => ({
            value,
            label: words.templates[value].title,
            help: words.templates[value].help,
          }))}
        />
        <Card>
          <Form draft={draft}>
            <FormGrid>
              <TextField
                label={words.planName}
                value={plan.name}
                onChange={(name) => set({ ...plan, name })}
                maxLength={200}
              />
              <TextField
                label={words.sentence}
                isOptional
                value={plan.description}
                onChange={(description) => set({ ...plan, description })}
                maxLength={2_000}
              />
              <MoneyField
                label={words.monthly}
                currency="usd"
                value={price.price}
                onChange={(amount) =>
                  amount !== null && amount >= 0 && set(withPrice(plan, price.id, { price: amount }))
                }
              />
              <NumberField
                label={words.trial}
                value={price.trialDays}
                minValue={0}
                maxValue={3_650}
                onChange={(days) =>
                  set(withPrice(plan, price.id, { trialDays: Number.isNaN(days) ? 0 : days }))
                }
                after={words.days}
              />
              {plan.model === 'credits' && (
                <NumberField
                  label={words.credits}
                  value={price.includedCredits ?? 0}
                  minValue={0}
                  onChange={(count) =>
                    set(withPrice(plan, price.id, { includedCredits: Number.isNaN(count) ? 0 : count }))
                  }
                />
              )}
              <TextField
                label={words.feature}
                help={words.featureHelp({ code: feature.code })}
                value={feature.name}
                onChange={(name) =>
                  set(withFeature(plan, feature.featureId, { name, code: codeOfName(name) || feature.code }))
                }
                maxLength={200}
              />
            </FormGrid>
            {feature.type !== 'boolean' && (
              <FeatureTerms
                plan={plan}
                feature={feature}
                onChange={(changes) => set(withFeature(plan, feature.featureId, changes))}
              />
            )}
            <FormActions>
              <Button kind="primary" type="submit" isPending={isRunning} isDisabled={!draft.isReady}>
                {words.make({ plan: plan.name || common.card.unnamed })}
              </Button>
            </FormActions>
            {error !== null && done > 0 && <Text color="warning">{words.partly({ done, of: 4 })}</Text>}
            <Rejection error={error} />
          </Form>
        </Card>
      </Stack>
      <Stack gap={4}>
        <PricingCard plan={plan} price={price} />
        {feature.type !== 'boolean' && (
          <NumberField
            label={words.use({ feature: feature.name })}
            value={use}
            minValue={0}
            onChange={(value) => draft.change({ use: Number.isNaN(value) ? 0 : value })}
          />
        )}
        <InvoicePreview
          plan={plan.name}
          invoice={exampleInvoice(
            plan,
            price,
            { amount: price.price, currency: 'usd', unitPriceOf: ({ unitPrice }) => unitPrice },
            { [feature.code]: use },
          )}
        />
      </Stack>
    </Columns>
  );
}
