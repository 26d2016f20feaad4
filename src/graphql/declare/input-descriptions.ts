import SchemaBuilder, { BasePlugin, type PothosInputFieldConfig, type SchemaTypes } from '@pothos/core';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      inputDescriptions: InputDescriptionsPlugin<Types>;
    }
  }
}

/** Pothos plugin that copies the description of an input type to the argument `input`. */
class InputDescriptionsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onInputFieldConfig(field: PothosInputFieldConfig<Types>): PothosInputFieldConfig<Types> {
    if (field.kind !== 'Arg' || field.name !== 'input' || field.description !== undefined) return field;
    const { type } = field;
    if (type.kind === 'List') return field;
    const { description } = this.builder.configStore.getTypeConfig(type.ref);
    return description === undefined ? field : { ...field, description };
  }
}

SchemaBuilder.registerPlugin('inputDescriptions', InputDescriptionsPlugin);
