import type { GraphQLSchema } from 'graphql';
import { useState } from 'react';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Divider, Row, Stack } from '../../kit/layout.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import { SearchField } from '../../kit/text-field.tsx';
import { useWords } from '../../words/words.ts';
import {
  type DocumentedField,
  type DocumentedType,
  documentedType,
  found,
  rootTypes,
} from './documentation.ts';

type DocsProps = {
  readonly schema: GraphQLSchema;
  /** Name of the displayed type. Empty to show the root types. */
  readonly type: string;
  readonly onType: (name: string) => void;
};

/** Searchable documentation of the schema: types and their fields. */
export function SchemaDocs({ schema, type, onType }: DocsProps) {
  const words = useWords('explorer');
  const [search, setSearch] = useState('');
  const open = (name: string): void => {
    setSearch('');
    onType(name);
  };
  const shown = documentedType(schema, type);
  const roots = rootTypes(schema);
  return (
    <Stack gap={3}>
      <SearchField label={words.searchSchema} value={search} onChange={setSearch} />
      <Row gap={1}>
        {roots.map((root) => (
          <TypeButton key={root} name={root} onOpen={open} />
        ))}
      </Row>
      {search === '' ? (
        shown !== null && <TypeDocs type={shown} onOpen={open} />
      ) : (
        <Stack gap={1} align="start">
          {found(schema, search).map((hit) => (
            <Row key={`${hit.name} ${hit.type}`} gap={1}>
              {hit.name !== hit.type && <Text code>{hit.name}</Text>}
              <TypeButton name={hit.type} onOpen={open} />
            </Row>
          ))}
        </Stack>
      )}
      {search === '' && shown === null && <Text color="muted">{words.docsAbout}</Text>}
    </Stack>
  );
}

type TypeButtonProps = {
  readonly name: string;
  /** Type with its list and non-null modifiers. Defaults to the name of the type. */
  readonly text?: string;
  readonly onOpen: (name: string) => void;
};

const TypeButton = ({ name, text = name, onOpen }: TypeButtonProps) => (
  <Button kind="quiet" size="sm" onPress={() => onOpen(name)}>
    <Text code size="sm">
      {text}
    </Text>
  </Button>
);

type TypeProps = { readonly type: DocumentedType; readonly onOpen: (name: string) => void };

const TypeDocs = ({ type: { name, description, fields, values, members }, onOpen }: TypeProps) => (
  <Stack gap={3}>
    <Heading level={2} size="md">
      {name}
    </Heading>
    <Text color="muted">{description}</Text>
    {members.length > 0 && (
      <Row gap={1}>
        {members.map((member) => (
          <TypeButton key={member} name={member} onOpen={onOpen} />
        ))}
      </Row>
    )}
    {values.map((value) => (
      <Stack key={value.name} gap={0}>
        <Text code>{value.name}</Text>
        <Text size="sm" color="muted">
          {value.description}
        </Text>
      </Stack>
    ))}
    {fields.map((field) => (
      <FieldDocs key={field.name} field={field} onOpen={onOpen} />
    ))}
  </Stack>
);

type FieldProps = { readonly field: DocumentedField; readonly onOpen: (name: string) => void };

function FieldDocs({ field: { name, type, named, description, inputs, deprecation }, onOpen }: FieldProps) {
  const words = useWords('explorer');
  return (
    <Stack gap={1}>
      <Row gap={1}>
        <Text code weight="medium">
          {name}
        </Text>
        <TypeButton name={named} text={type} onOpen={onOpen} />
        {deprecation !== null && <Badge tone="warning">{words.deprecated}</Badge>}
      </Row>
      <Text size="sm" color="muted">
        {deprecation ?? description}
      </Text>
      {inputs.map((input) => (
        <Row key={input.name} gap={1}>
          <Text code size="sm">
            {input.name}
          </Text>
          <TypeButton name={input.named} text={input.type} onOpen={onOpen} />
          <Text size="sm" color="muted">
            {input.description}
          </Text>
        </Row>
      ))}
      <Divider />
    </Stack>
  );
}
