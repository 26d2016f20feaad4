import { Switch } from '../../../../kit/choice.tsx';
import { Form, FormGrid, FormWide } from '../../../../kit/form.tsx';
import { Card } from '../../../../kit/layout.tsx';
import { Section } from '../../../../kit/page.tsx';
import { Select } from '../../../../kit/select.tsx';
import { TextArea, TextField } from '../../../../kit/text-field.tsx';
import { useWords } from '../../../../words/words.ts';
import type { PartProps } from './catalog-objects.ts';

const noGroup = 'none';
const ignore = () => {};

/** Form for the name, description, group and visibility of a plan. The code and model can't be changed. */
export function TermsPart({ draft, saved, surroundings, onChange }: PartProps) {
  const { terms: words } = useWords('plan');
  const common = useWords('catalog');
  return (
    <Section title={words.title} description={words.fixed({ model: common.models[saved.model] })}>
      <Card>
        <Form onSubmit={ignore}>
          <FormGrid>
            <TextField
              label={common.name}
              value={draft.name}
              onChange={(name) => onChange({ ...draft, name })}
              maxLength={200}
              {...(draft.name.trim() === '' && { error: words.nameMissing })}
            />
            <Select
              label={words.group}
              help={words.groupHelp}
              value={draft.groupId ?? noGroup}
              onChange={(id) => onChange({ ...draft, groupId: id === noGroup ? null : id })}
              options={[
                { value: noGroup, label: words.noGroup },
                ...surroundings.groups.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
            <FormWide>
              <TextArea
                label={common.description}
                isOptional
                value={draft.description}
                onChange={(description) => onChange({ ...draft, description })}
                maxLength={2_000}
                rows={2}
              />
            </FormWide>
            <FormWide>
              <Switch
                isSelected={draft.isPublic}
                onChange={(isPublic) => onChange({ ...draft, isPublic })}
                help={words.publicHelp}
              >
                {words.public}
              </Switch>
            </FormWide>
          </FormGrid>
        </Form>
      </Card>
    </Section>
  );
}
