import { InvalidInputError } from './invalid-input';

/**
 * Has the errors of a class' static methods say which of them was called: a value that it makes has no place among constructs yet.
 *
 * Called once for a class, below it, so that a new factory cannot be forgotten.
 */
export function nameFactories(type: { readonly name: string }): void {
  for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(type))) {
    if (typeof value === 'function' && !method.startsWith('_')) {
      const named = function (this: unknown, ...args: unknown[]) {
        try {
          return value.apply(this, args);
        } catch (error) {
          if (error instanceof InvalidInputError) {
            error.madeBy(`${type.name}.${method}`);
          }
          throw error;
        }
      };
      // Errors call a factory by its name that was given without being called.
      Object.defineProperty(named, 'name', { value: method });
      Object.defineProperty(type, method, { configurable: true, writable: true, value: named });
    }
  }
}
