// Facts as a list: a word and a number each.
export function Fact({ name, value, bad }: { name: string; value: string | number; bad?: boolean }) {
  return (
    <div class={bad ? "fact bad" : "fact"}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
