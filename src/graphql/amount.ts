import SchemaBuilder, {
  BasePlugin,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import { DirectiveLocation, GraphQLDirective, GraphQLEnumType, GraphQLNonNull } from 'graphql';
import { directiveOn, withDirective } from './directives.ts';

/** The two integer scales of money (GLO-6): the smallest unit of the currency, or 10 000 to its unit. */
export type Scale = 'MINOR' | 'RATE';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      amount: AmountPlugin<Types>;
    }
    interface FieldOptions {
      amount?: Scale;
    }
    interface InputFieldOptions {
      amount?: Scale;
    }
  }
}

/** The scale of a field or input of the built schema; undefined where it is no amount of money. */
export const scaleOf = (definition: { readonly extensions?: unknown }): Scale | undefined =>
  directiveOn(definition, 'amount')?.['scale'] as Scale | undefined;

/** Keeps the `amount` option in the schema as the directive `@amount(scale:)` (GLO-14). */
export class AmountPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { amount } = field.pothosOptions as { amount?: Scale };
    return amount === undefined ? field : withDirective(field, 'amount', { scale: amount });
  }

  override onInputFieldConfig(field: PothosInputFieldConfig<Types>): PothosInputFieldConfig<Types> {
    const { amount } = field.pothosOptions as { amount?: Scale };
    return amount === undefined ? field : withDirective(field, 'amount', { scale: amount });
  }
}

SchemaBuilder.registerPlugin('amount', AmountPlugin);

export const AmountScale = new GraphQLEnumType({
  name: 'AmountScale',
  description: 'How whole numbers stand for money.',
  values: {
    MINOR: {
      description:
        'The smallest unit of the currency: cents for most, whole units where there are none smaller.',
    },
    RATE: { description: '10 000 is 1.00 of the currency.' },
  },
});

export const amountDirective = new GraphQLDirective({
  name: 'amount',
  description: 'A whole number that is an amount of money.',
  locations: [
    DirectiveLocation.FIELD_DEFINITION,
    DirectiveLocation.INPUT_FIELD_DEFINITION,
    DirectiveLocation.ARGUMENT_DEFINITION,
  ],
  args: { scale: { type: new GraphQLNonNull(AmountScale), description: 'The scale of the number.' } },
});
