// Settings: models, ranking, appearance, and what is kept where.

import "./settings.css";
import { useRef } from "react";
import { preferences } from "../../app/preferences";
import { Segmented } from "../../components/controls";
import { DesktopSection } from "./DesktopSection";
import { EditorSection } from "./EditorSection";
import { GateSection } from "./GateSection";
import { ModelsSection } from "./ModelsSection";
import { PrivacySection } from "./PrivacySection";
import { RankingSection } from "./RankingSection";
import { RerankerSection } from "./RerankerSection";
import { Section } from "./Section";
import { SettingsIndex } from "./SettingsIndex";
import { UpdatesSection } from "./UpdatesSection";

export function SettingsView() {
  const box = useRef<HTMLDivElement>(null);
  return (
    <section className="view" aria-label="Settings">
      <header className="view-head">
        <h1>Settings</h1>
      </header>
      <div className="settings-body">
        <SettingsIndex box={box} />
        <div className="settings" ref={box}>
          <Appearance />
          <ModelsSection />
          <EditorSection />
          <DesktopSection />
          <UpdatesSection />
          <PrivacySection />
          <RankingSection />
          <GateSection />
          <RerankerSection />
        </div>
      </div>
    </section>
  );
}

function Appearance() {
  const { theme, density } = preferences.use();
  return (
    <Section title="Appearance">
      <div className="choice">
        <span>Theme</span>
        <Segmented
          label="Theme"
          value={theme}
          options={[
            { value: "system", label: "System" },
            { value: "light", label: "Light" },
            { value: "dark", label: "Dark" },
          ]}
          onChange={(value) => preferences.set({ theme: value })}
        />
      </div>
      <div className="choice">
        <span>Density</span>
        <Segmented
          label="Density"
          value={density}
          options={[
            { value: "comfortable", label: "Comfortable" },
            { value: "compact", label: "Compact" },
          ]}
          onChange={(value) => preferences.set({ density: value })}
        />
      </div>
    </Section>
  );
}
