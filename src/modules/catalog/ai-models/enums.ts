import { builder } from '../../../graphql/reading/builder.ts';

export const TokenClass = builder.enumType('TokenClass', {
  description: 'Class of tokens of an AI model. Each token of an event has exactly one class.',
  values: {
    input: { description: 'Input tokens that have no other class.' },
    cache_read: { description: 'Input tokens read from a cache.' },
    cache_write: { description: 'Input tokens written to a cache for 5 minutes.' },
    cache_write_1h: { description: 'Input tokens written to a cache for 1 hour.' },
    audio_input: { description: 'Input tokens of audio.' },
    image_input: { description: 'Input tokens of images.' },
    output: { description: 'Output tokens that have no other class.' },
    reasoning: { description: 'Output tokens of reasoning.' },
    audio_output: { description: 'Output tokens of audio.' },
    image_output: { description: 'Output tokens of images.' },
  } as const,
});
