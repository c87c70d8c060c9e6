// The active row of a list that draws only what is in sight.

/** The active row's id, where it is drawn: who hears the list must not be led to a row that is not
 *  there, far away or still coming. */
export function activeRow(at: number, drawn: readonly number[], id: string): string | undefined {
  return drawn.includes(at) ? id : undefined;
}
