import { useState } from 'react';
import { ApiError } from '../../../data/api-error.ts';
import { useAction, useData } from '../../../data/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { RadioGroup, Switch } from '../../../kit/choice.tsx';
import { Form, FormActions } from '../../../kit/form.tsx';
import { Card } from '../../../kit/layout.tsx';
import { Select } from '../../../kit/select.tsx';
import { TextArea, TextField } from '../../../kit/text-field.tsx';
import { CatalogPlanCreateDocument } from '../../../parts/catalog/commands.graphql';
import { codeOfName } from '../../../parts/catalog/model/code-batch.ts';
import type { Model } from '../../../parts/catalog/model/plan-draft.ts';
import { Rejection } from '../../../parts/catalog/rejection.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogPlansDocument } from '../plans/page.graphql';

const models: readonly Model[] = ['metered', 'credits', 'balance'];
const noGroup = 'none';
const noProblems: ApiError['details'] = [];

/** Form with the name, code and model of an empty plan. Features and prices are added on the plan's page. */
export function EmptyPlanForm({ onDone }: { readonly onDone: (planId: string) => void }) {
  const words = useWords('plans');
  const common = useWords('catalog');
  const [name, setName] = useState('');
  const [typedCode, setCode] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const [model, setModel] = useState<Model>('metered');
  const [isFree, setFree] = useState(false);
  const [blocks, setBlocks] = useState(false);
  const [groupId, setGroup] = useState(noGroup);
  const groups = useData(CatalogPlansDocument, { filter: null }).data?.planGroups.nodes ?? [];
  const [create, { isRunning, error }] = useAction(CatalogPlanCreateDocument);
  const code = typedCode ?? codeOfName(name, '-');
  const save = async () => {
    const result = await create({
      input: {
        name,
        code,
        consumptionModel: model,
        isFree,
        ...(description !== '' && { description }),
        ...(model === 'balance' && { blockOnExhaustion: blocks }),
        ...(groupId !== noGroup && { planGroupId: groupId }),
      },
    });
    if (!(result instanceof ApiError)) onDone(result.planCreate.id);
  };
  return (
    <Card>
      <Form onSubmit={() => void save()} errors={error?.details ?? noProblems} isChanged={name !== ''}>
        <TextField
          label={common.name}
          name="name"
          value={name}
          onChange={setName}
          maxLength={200}
          autoFocus
        />
        <TextField
          label={common.code}
          name="code"
          help={common.codeHelp}
          value={code}
          onChange={setCode}
          maxLength={100}
          code
        />
        <TextArea
          label={common.description}
          name="description"
          isOptional
          value={description}
          onChange={setDescription}
          maxLength={2_000}
          rows={2}
        />
        <RadioGroup
          label={words.model}
          help={words.modelHelp}
          look="cards"
          value={model}
          onChange={(value) => setModel(value as Model)}
          options={models.map((value) => ({
            value,
            label: common.models[value],
            help: common.modelTexts[value],
          }))}
        />
        {model === 'balance' && (
          <Switch isSelected={blocks} onChange={setBlocks} help={words.blocksHelp}>
            {words.blocks}
          </Switch>
        )}
        <Switch isSelected={isFree} onChange={setFree} help={words.freeHelp}>
          {words.free}
        </Switch>
        {groups.length > 0 && (
          <Select
            label={words.group}
            value={groupId}
            onChange={setGroup}
            options={[
              { value: noGroup, label: words.noGroup },
              ...groups.map((group) => ({ value: group.id, label: group.name })),
            ]}
          />
        )}
        <FormActions>
          <Button
            kind="primary"
            type="submit"
            isPending={isRunning}
            isDisabled={name.trim() === '' || code === ''}
          >
            {words.createPlan}
          </Button>
        </FormActions>
        <Rejection error={error} />
      </Form>
    </Card>
  );
}
