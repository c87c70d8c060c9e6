// The sections by name, beside them: which one is in sight, and a way to each.

import { type RefObject, useEffect, useState } from "react";

const sectionsOf = (box: HTMLElement | null) => [
  ...(box?.querySelectorAll<HTMLElement>(":scope > .settings-section") ?? []),
];
const titleOf = (section: HTMLElement) => section.getAttribute("aria-label") ?? "";

export function SettingsIndex({ box }: { box: RefObject<HTMLDivElement | null> }) {
  const [titles, setTitles] = useState<string[]>([]);
  const [current, setCurrent] = useState("");
  useEffect(() => {
    const scrolled = box.current;
    if (!scrolled) return;
    setTitles(sectionsOf(scrolled).map(titleOf));
    const look = () => setCurrent(titleInSight(scrolled));
    look();
    scrolled.addEventListener("scroll", look, { passive: true });
    return () => scrolled.removeEventListener("scroll", look);
  }, [box]);
  const show = (title: string) => {
    const section = sectionsOf(box.current).find((one) => titleOf(one) === title);
    section?.scrollIntoView({ block: "start" });
    setCurrent(title);
  };
  return (
    <nav className="settings-index" aria-label="Sections">
      {titles.map((title) => (
        <button
          key={title}
          type="button"
          aria-current={title === current || undefined}
          onClick={() => show(title)}
        >
          {title}
        </button>
      ))}
    </nav>
  );
}

/** The first section of which a good part is in sight; at the end, the last one. */
function titleInSight(box: HTMLElement): string {
  const sections = sectionsOf(box);
  const isAtEnd = box.scrollTop > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 2;
  const { top } = box.getBoundingClientRect();
  const seen = isAtEnd
    ? sections.at(-1)
    : sections.find((one) => one.getBoundingClientRect().bottom > top + 80);
  return seen ? titleOf(seen) : "";
}
