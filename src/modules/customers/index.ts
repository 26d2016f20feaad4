import './customers/types.ts';
import './customers/queries.ts';
import './customers/mutations.ts';
import './credits/types.ts';
import './credits/queries.ts';
import './credits/mutations.ts';
import './notes/types.ts';
import './notes/mutations.ts';
