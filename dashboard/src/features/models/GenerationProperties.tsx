import type { ServedModel } from '../../api/schema.js';
import { pluralize } from '../../lib/format-numbers.js';
import { Property } from '../../ui/Property.js';

type GenerationSettings = Pick<ServedModel, 'routes' | 'maxOutputTokens' | 'fallbacks' | 'contextFallback'>;

/** The properties that only generation models have. */
export function GenerationProperties({ routes, maxOutputTokens, fallbacks, contextFallback }: GenerationSettings) {
  return (
    <>
      {routes.length > 0 && (
        <Property name="Routes">
          {routes.map((route) => (
            <div key={route}>/v1/{route}</div>
          ))}
        </Property>
      )}
      {maxOutputTokens !== null && <Property name="Maximum output">{pluralize(maxOutputTokens, 'token')}</Property>}
      {fallbacks.length > 0 && <Property name="Fallbacks">{fallbacks.join(', then ')}</Property>}
      {contextFallback !== null && <Property name="Fallback for long requests">{contextFallback}</Property>}
    </>
  );
}
