import type { ApiError } from '../../../data/api-error.ts';
import { useAction, useData } from '../../../data/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { RadioGroup, Switch } from '../../../kit/choice.tsx';
import { Form, FormActions } from '../../../kit/form.tsx';
import { Card } from '../../../kit/layout.tsx';
import { Select } from '../../../kit/select.tsx';
import { TextArea, TextField } from '../../../kit/text-field.tsx';
import { useDraft } from '../../../kit/use-draft.ts';
import { CatalogPlanCreateDocument } from '../../../parts/catalog/commands.graphql';
import { codeOfName } from '../../../parts/catalog/model/code-batch.ts';
import type { Model } from '../../../parts/catalog/model/plan-draft.ts';
import { Rejection } from '../../../parts/catalog/rejection.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogPlansDocument } from '../plans/page.graphql';

const models: readonly Model[] = ['metered', 'credits', 'balance'];
const noGroup = 'none';
const noProblems: ApiError['details'] = [];

type Values = {
  readonly name: string;
  /** Typed code of the plan. `null` if the code follows the name. */
  readonly code: string | null;
  readonly description: string;
  readonly model: Model;
  readonly isFree: boolean;
  readonly blocks: boolean;
  readonly groupId: string;
};

const empty: Values = {
  name: '',
  code: null,
  description: '',
  model: 'metered',
  isFree: false,
  blocks: false,
  groupId: noGroup,
};

const codeOf = ({ code, name }: Values): string => code ?? codeOfName(name, '-');

/** Form with the name, code and model of an empty plan. Features and prices are added on the plan's page. */
export function EmptyPlanForm({ onDone }: { readonly onDone: (planId: string) => void }) {
  const words = useWords('plans');
  const common = useWords('catalog');
  const groups = useData(CatalogPlansDocument, { filter: null }).data?.planGroups.nodes ?? [];
  const [create, { isRunning, error }] = useAction(CatalogPlanCreateDocument);
  const draft = useDraft(empty, {
    isReady: (values) => values.name.trim() !== '' && codeOf(values) !== '',
    send: (values) => {
      const { name, model, isFree, description, blocks, groupId } = values;
      return create({
        input: {
          name,
          code: codeOf(values),
          consumptionModel: model,
          isFree,
          ...(description !== '' && { description }),
          ...(model === 'balance' && { blockOnExhaustion: blocks }),
          ...(groupId !== noGroup && { planGroupId: groupId }),
        },
      });
    },
    onDone: ({ planCreate }) => onDone(planCreate.id),
  });
  const { values, change, choice, field } = draft;
  return (
    <Card>
      <Form draft={draft} errors={error?.details ?? noProblems}>
        <TextField label={common.name} name="name" {...field('name')} maxLength={200} autoFocus />
        <TextField
          label={common.code}
          name="code"
          help={common.codeHelp}
          value={codeOf(values)}
          onChange={(code) => change({ code })}
          maxLength={100}
          code
        />
        <TextArea
          label={common.description}
          name="description"
          isOptional
          {...field('description')}
          maxLength={2_000}
          rows={2}
        />
        <RadioGroup
          label={words.model}
          help={words.modelHelp}
          look="cards"
          value={values.model}
          onChange={(value) => change({ model: value as Model })}
          options={models.map((value) => ({
            value,
            label: common.models[value],
            help: common.modelTexts[value],
          }))}
        />
        {values.model === 'balance' && (
          <Switch {...choice('blocks')} help={words.blocksHelp}>
            {words.blocks}
          </Switch>
        )}
        <Switch {...choice('isFree')} help={words.freeHelp}>
          {words.free}
        </Switch>
        {groups.length > 0 && (
          <Select
            label={words.group}
            {...field('groupId')}
            options={[
              { value: noGroup, label: words.noGroup },
              ...groups.map((group) => ({ value: group.id, label: group.name })),
            ]}
          />
        )}
        <FormActions>
          <Button kind="primary" type="submit" isPending={isRunning} isDisabled={!draft.isReady}>
            {words.createPlan}
          </Button>
        </FormActions>
        <Rejection error={error} />
      </Form>
    </Card>
  );
}
