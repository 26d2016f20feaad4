import type { FieldNode } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { oncePerField } from '../../src/graphql/declare/places.ts';

describe('a value per field of a running operation', () => {
  const fieldNodes: FieldNode[] = [];
  const variableValues = { first: 5 };

  it('is created once for all parents of the field', () => {
    const valuePerField = oncePerField<object>();
    const make = vi.fn(() => ({}));
    expect(valuePerField({ fieldNodes, variableValues }, make)).toBe(
      valuePerField({ fieldNodes, variableValues }, make),
    );
    expect(make).toHaveBeenCalledOnce();
  });

  it('is created again for another field and for another execution of the operation', () => {
    const valuePerField = oncePerField<number>();
    expect(valuePerField({ fieldNodes, variableValues }, () => 1)).toBe(1);
    expect(valuePerField({ fieldNodes: [], variableValues }, () => 2)).toBe(2);
    expect(valuePerField({ fieldNodes, variableValues: { first: 5 } }, () => 3)).toBe(3);
  });

  it('is created again after an error', () => {
    const valuePerField = oncePerField<number>();
    const fail = (): number => {
      throw new Error('invalid');
    };
    expect(() => valuePerField({ fieldNodes, variableValues }, fail)).toThrow('invalid');
    expect(valuePerField({ fieldNodes, variableValues }, () => 4)).toBe(4);
  });
});
